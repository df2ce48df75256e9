import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Question } from '../../../components/dialog-form.tsx';
import { useTRPCClient, type Registration } from '../../../trpc.ts';
import { JoinLink } from './join-link.tsx';
import { useRegistrationsChanged } from './use-registrations.ts';

/** Asks before the join link is replaced, and shows the new one. */
export function RotateLink({ registration, onClose }: { registration: Registration; onClose: () => void }) {
  const { registrations } = useTRPCClient();
  const changed = useRegistrationsChanged();
  const [joinUrl, setJoinUrl] = useState<string>();
  const { webinarId, id: registrationId, name } = registration;
  const params = { webinarId, registrationId };
  if (joinUrl !== undefined) {
    return (
      <Stack gap="md">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          This is the new join link of <strong>{name}</strong>. The old link no longer works. Send the new one
          to them: the service sends no e-mail.
        </Text>
        <JoinLink url={joinUrl} />
        <Group justify="flex-end">
          <Button onClick={onClose}>Done</Button>
        </Group>
      </Stack>
    );
  }
  return (
    <Question
      text={
        <>
          <strong>{name}</strong> gets a new join link. The old one stops working at once, also in a room that
          is open with it, and so do the links of offers that were made for this person.
        </>
      }
      confirm="Make new link"
      cancel="Keep the old link"
      apiCall={{
        operation: 'POST /webinars/{webinarId}/registrations/{registrationId}/rotate-token',
        params,
      }}
      act={() => registrations.rotateToken.mutate(params)}
      onDone={async ({ data }) => {
        setJoinUrl(data.joinUrl);
        await changed();
      }}
      onClose={onClose}
    />
  );
}
