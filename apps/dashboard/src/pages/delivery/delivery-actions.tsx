import { Anchor, Group } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { GuardedButton } from '../../components/guarded-button.tsx';
import { Notice } from '../../components/notice.tsx';
import type { Delivery } from '../../trpc.ts';
import { offReasons } from '../source/source.ts';
import { CopyCurl } from './sent-request.tsx';
import { useRefire } from './use-delivery.ts';

interface DeliveryActionsProps {
  webinarId: string;
  delivery: Delivery;
  onShow: (deliveryId: string) => void;
}

/** Actions of a delivery: re-fire a failed one, copy its last request. */
export function DeliveryActions({ webinarId, delivery, onShow }: DeliveryActionsProps) {
  const { refire, data, error, isPending } = useRefire(webinarId);
  const lastAttempt = delivery.attemptLog.at(-1);
  const isFailed = delivery.status === 'failure';
  if (!isFailed && !lastAttempt) return null;
  return (
    <>
      <Group gap="xs">
        {isFailed ? (
          <GuardedButton
            reason={offReasonOf(delivery.source)}
            leftSection={<IconRefresh size={14} />}
            loading={isPending}
            onClick={() => refire(delivery.id)}
          >
            Re-fire
          </GuardedButton>
        ) : null}
        {lastAttempt ? <CopyCurl attempt={lastAttempt} body={delivery.body} /> : null}
      </Group>
      {data ? (
        <Notice tone="info">
          Queued again as a new delivery.{' '}
          <Anchor component="button" type="button" inherit onClick={() => onShow(data.data.id)}>
            Open the new delivery
          </Anchor>
        </Notice>
      ) : null}
      {error ? <FailureNotice error={error} /> : null}
    </>
  );
}

/** The reason why it cannot be re-fired. */
function offReasonOf(source: Delivery['source']): string | undefined {
  if (!source) return 'Its rule or subscription has been deleted, so it cannot be sent again.';
  return source.enabled ? undefined : offReasons[source.kind];
}
