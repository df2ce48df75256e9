import { Stack, Text } from '@mantine/core';
import type { Registration } from '../../../trpc.ts';
import { useRules } from '../../source/use-sources.ts';
import { AttendeeQuestion } from '../automations/attendee-question.tsx';
import { ExecutionList } from '../automations/execution-list.tsx';

/** The evaluations of rules for one registration, and the question why a rule did not fire. */
export function RegistrationRules({ registration }: { registration: Registration }) {
  const { webinarId, id: registrationId } = registration;
  const rules = useRules(webinarId).data?.data ?? [];
  return (
    <Stack gap="md">
      <ExecutionList
        webinarId={webinarId}
        registrationId={registrationId}
        empty={
          <Text size="sm" c="dimmed">
            No rule was evaluated for this person.
          </Text>
        }
      />
      {rules.length > 0 ? (
        <AttendeeQuestion webinarId={webinarId} rules={rules} registrationId={registrationId} />
      ) : null}
    </Stack>
  );
}
