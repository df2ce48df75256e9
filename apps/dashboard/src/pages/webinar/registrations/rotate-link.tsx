import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { FormApiCall } from '../../../components/form-actions.tsx';
import { useTRPC, type Registration } from '../../../trpc.ts';
import { JoinLink } from './join-link.tsx';
import { useRegistrationsChanged } from './use-registrations.ts';

/** Asks before the join link is replaced, and shows the new one. */
export function RotateLink({ registration, onClose }: { registration: Registration; onClose: () => void }) {
  const trpc = useTRPC();
  const changed = useRegistrationsChanged();
  const { webinarId, id: registrationId, name } = registration;
  const { mutate, isPending, error, data } = useMutation(
    trpc.registrations.rotateToken.mutationOptions({ onSuccess: () => changed() }),
  );
  if (data) {
    return (
      <Stack gap="md">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          This is the new join link of <strong>{name}</strong>. The old link no longer works. Send the new one
          to them: the service sends no e-mail.
        </Text>
        <JoinLink url={data.data.joinUrl} />
        <Group justify="flex-end">
          <Button onClick={onClose}>Done</Button>
        </Group>
      </Stack>
    );
  }
  return (
    <Stack gap="md">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        <strong>{name}</strong> gets a new join link. The old one stops working at once, also in a room that
        is open with it, and so do the links of offers that were made for this person.
      </Text>
      {error ? <FailureNotice error={error} /> : null}
      <Group justify="flex-end" gap="xs">
        <FormApiCall
          call={{
            operation: 'POST /webinars/{webinarId}/registrations/{registrationId}/rotate-token',
            params: { webinarId, registrationId },
          }}
        />
        <Button variant="default" onClick={onClose} data-autofocus autoFocus>
          Keep the old link
        </Button>
        <Button color="red" loading={isPending} onClick={() => mutate({ webinarId, registrationId })}>
          Make new link
        </Button>
      </Group>
    </Stack>
  );
}
