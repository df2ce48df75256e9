import { Select, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import type { Rule } from '../../../trpc.ts';
import { Explanation } from './explanation.tsx';
import { RegistrationPicker } from './registration-picker.tsx';

interface AttendeeQuestionProps {
  webinarId: string;
  /** The rule that is asked about, or those to choose from. */
  rules: readonly Rule[];
  /** The attendee that is asked about. */
  registrationId: string | undefined;
  /** Absent where the attendee is given. */
  onRegistration?: ((registrationId: string | undefined) => void) | undefined;
}

/** "Why did it not fire for this person?", asked of a rule or of a registration. */
export function AttendeeQuestion({
  webinarId,
  rules,
  registrationId,
  onRegistration,
}: AttendeeQuestionProps) {
  const [chosen, setChosen] = useState<string | null>(null);
  // On the page of a source no parameter of the URL has the attendee.
  const [own, setOwn] = useState<string>();
  const attendee = registrationId ?? own;
  const isOneRule = rules.length === 1 && !isGiven(registrationId, onRegistration);
  const rule = isOneRule ? rules[0] : rules.find(({ id }) => id === chosen);
  return (
    <section aria-label="Why did it not fire?">
      <Title order={3}>Why did it not fire?</Title>
      <Text size="sm" c="dimmed" mb={8}>
        {isOneRule
          ? 'Choose an attendee to see whether this rule fired for them, and if not, why.'
          : 'Choose a rule to see whether it fired for this attendee, and if not, why.'}
      </Text>
      <Stack gap="sm">
        {isOneRule ? (
          <RegistrationPicker
            webinarId={webinarId}
            label="Attendee"
            value={attendee}
            onChange={onRegistration ?? setOwn}
          />
        ) : (
          <Select
            label="Rule"
            placeholder="Choose a rule"
            searchable
            maw={420}
            data={rules.map(({ id, name }) => ({ value: id, label: name }))}
            value={chosen}
            onChange={setChosen}
          />
        )}
        {rule && attendee ? (
          <Explanation webinarId={webinarId} ruleId={rule.id} registrationId={attendee} />
        ) : null}
      </Stack>
    </section>
  );
}

const isGiven = (registrationId: string | undefined, onRegistration: unknown): boolean =>
  registrationId !== undefined && onRegistration === undefined;
