import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Question } from '../../../components/dialog-form.tsx';
import { saveCsv } from '../../../csv.ts';
import { useTRPCClient, type Registration } from '../../../trpc.ts';
import { peopleText } from '../people-text.ts';
import { useRegistrationsChanged } from './use-registrations.ts';

interface RotateLinksProps {
  registrations: readonly Registration[];
  onClose: () => void;
}

/** Asks before the join links of several people are replaced, and offers the new ones as a file. */
export function RotateLinks({ registrations, onClose }: RotateLinksProps) {
  const client = useTRPCClient();
  const changed = useRegistrationsChanged();
  const [made, setMade] = useState<Registration[]>();
  if (made) {
    return (
      <Stack gap="md">
        <Text size="sm">
          {peopleText(made.length)} {made.length === 1 ? 'has' : 'have'} a new join link. Send them the new
          links: the service sends no e-mail.
        </Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={() => saveRegistrations('Join links', made)}>
            Download the links
          </Button>
          <Button onClick={onClose}>Done</Button>
        </Group>
      </Stack>
    );
  }
  return (
    <Question
      text={
        <>
          <strong>{peopleText(registrations.length)}</strong>{' '}
          {registrations.length === 1 ? 'gets a new join link' : 'get new join links'}. The old ones stop
          working at once, also in rooms that are open with them.
        </>
      }
      confirm="Make new links"
      cancel="Keep the old links"
      // Calls of one moment go in few requests.
      act={() =>
        Promise.all(
          registrations.map(async ({ webinarId, id: registrationId }) => {
            const { data } = await client.registrations.rotateToken.mutate({ webinarId, registrationId });
            return data;
          }),
        )
      }
      onDone={(answers) => setMade(answers)}
      // Some may have a new link although another call failed.
      onSettled={changed}
      onClose={onClose}
    />
  );
}

/** Saves the people of some rows as a file. */
export const saveRegistrations = (title: string, registrations: readonly Registration[]): void =>
  saveCsv(title, [
    ['name', 'email', 'phone', 'status', 'session_time', 'join_url', 'registration_id'],
    ...registrations.map((one) => [
      one.name,
      one.email,
      one.phone,
      one.status,
      one.sessionTime,
      one.joinUrl,
      one.id,
    ]),
  ]);
