import { Button, Group, Stack, Text } from '@mantine/core';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { FormApiCall } from '../../components/form-actions.tsx';
import { sourceApiCall } from './source-api-call.ts';
import { offReasonOf, type Source } from './source.ts';
import { useSendWaiting, useWaiting } from './use-waiting.ts';
import { waitingText } from './waiting-text.ts';

interface SendWaitingProps {
  source: Source;
  onClose: () => void;
}

/** Asks before everything that waits for an endpoint is sent. */
export function SendWaiting({ source, onClose }: SendWaitingProps) {
  const count = useWaiting(source)?.count;
  const { mutate, isPending, error } = useSendWaiting(source);
  const offReason = offReasonOf(source);
  return (
    <Stack gap="md">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {offReason ?? (
          <>
            Sends the same deliveries to <code>{source.url}</code> without waiting for the time of their next
            try. The rate is limited and rises while the endpoint answers. A delivery that fails again waits
            for its next try.
          </>
        )}
      </Text>
      {error ? <FailureNotice error={error} /> : null}
      <Group justify="flex-end" gap="xs">
        <FormApiCall call={sourceApiCall(source, 'sendWaiting')} />
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          loading={isPending}
          disabled={!count || offReason !== undefined}
          data-autofocus
          autoFocus
          onClick={() => mutate(undefined, { onSuccess: onClose })}
        >
          {count === 0 ? 'Nothing waits' : count === undefined ? 'Send' : `Send ${waitingText(count)} now`}
        </Button>
      </Group>
    </Stack>
  );
}
