import { Button, Group, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { FormApiCall } from '../../../components/form-actions.tsx';
import { useTRPCClient, type Registration } from '../../../trpc.ts';
import { peopleText } from '../people-text.ts';
import { useRegistrationsChanged } from './use-registrations.ts';
import type { CancelDialogProps } from './cancel-dialog.tsx';

/** Asks before registrations are cancelled. */
export function CancelRegistrations({
  registrations,
  onClose,
  onDone,
}: CancelDialogProps & { registrations: readonly Registration[] }) {
  const client = useTRPCClient();
  const changed = useRegistrationsChanged();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => cancelAll(client, registrations),
    onSuccess: () => {
      notifications.show({ message: `${peopleText(registrations.length)} cancelled.` });
      onDone();
    },
    // Some may be cancelled although another one failed.
    onSettled: changed,
  });
  const [first] = registrations;
  const isOne = registrations.length === 1;
  return (
    <Stack gap="md">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        <strong>{isOne ? first?.name : peopleText(registrations.length)}</strong>{' '}
        {isOne ? 'gives up the place. The join link stops' : 'give up their places. Their join links stop'}{' '}
        working, and rules before and after the session send nothing for {isOne ? 'this person' : 'them'}. No
        message is sent. A cancelled registration stays in the list; the person can register again.
      </Text>
      {error ? <FailureNotice error={error} /> : null}
      <Group justify="flex-end" gap="xs">
        {isOne && first ? (
          <FormApiCall
            call={{
              operation: 'POST /webinars/{webinarId}/registrations/{registrationId}/cancel',
              params: { webinarId: first.webinarId, registrationId: first.id },
            }}
          />
        ) : null}
        <Button variant="default" onClick={onClose} data-autofocus autoFocus>
          Keep
        </Button>
        <Button color="red" loading={isPending} onClick={() => mutate()}>
          {isOne ? 'Cancel registration' : `Cancel ${registrations.length} registrations`}
        </Button>
      </Group>
    </Stack>
  );
}

/** Calls of one moment go in few requests. Cancelling again changes nothing, so it can be repeated after a failure. */
async function cancelAll(
  client: ReturnType<typeof useTRPCClient>,
  registrations: readonly Registration[],
): Promise<void> {
  const results = await Promise.allSettled(
    registrations.map(({ webinarId, id: registrationId }) =>
      client.registrations.cancel.mutate({ webinarId, registrationId }),
    ),
  );
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}
