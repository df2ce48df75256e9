import { Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconRefresh } from '@tabler/icons-react';
import { CopyButton } from '../../components/copy.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { GuardedButton } from '../../components/guarded-button.tsx';
import type { Delivery } from '../../trpc.ts';
import { sendAgainReason } from './send-again.ts';
import { CopyCurl } from './sent-request.tsx';
import { useSendAgain } from './use-delivery.ts';

interface DeliveryActionsProps {
  delivery: Delivery;
  onShow: (deliveryId: string) => void;
}

/** Sends a delivery again and shows the new one, copies the last request and the delivery. */
export function DeliveryActions({ delivery, onShow }: DeliveryActionsProps) {
  const { sendAgain, error, isPending } = useSendAgain({
    onSuccess: (id) => {
      notifications.show({ message: 'Sent again. This is the new delivery.' });
      onShow(id);
    },
  });
  const lastAttempt = delivery.attemptLog.at(-1);
  return (
    <>
      <Group gap="xs">
        <GuardedButton
          reason={sendAgainReason(delivery)}
          leftSection={<IconRefresh size={14} />}
          loading={isPending}
          onClick={() => sendAgain(delivery.id, delivery.webinarId)}
        >
          Send again
        </GuardedButton>
        {lastAttempt ? <CopyCurl attempt={lastAttempt} body={delivery.body} /> : null}
        <CopyButton text={JSON.stringify(delivery, null, 2)} label="Copy as JSON" />
      </Group>
      {error ? <FailureNotice error={error} /> : null}
    </>
  );
}
