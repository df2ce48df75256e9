import { Group, Stack, Text } from '@mantine/core';
import { conditionParts } from '@service/conditions';
import type { ReactNode } from 'react';
import { Sentence } from '../../../components/sentence.tsx';
import { triggerParts, type RuleTexts } from './rule-sentence.ts';
import { lateConditions, type Timing } from './rule-timing.ts';

interface LateConditionsProps {
  rule: Timing;
  texts: RuleTexts;
  /** Buttons that make a rule for both orders. */
  children?: ReactNode;
}

/** Says when the conditions are tested, and for which attendees the rule does not fire because of that. */
export function LateConditions({ rule, texts, children }: LateConditionsProps) {
  const late = lateConditions(rule);
  if (late.length === 0) return null;
  const cases = late.flatMap((condition, index) => [
    index === 0 ? '' : ', or if ',
    ...conditionParts(condition, texts.names),
    ' only after that',
  ]);
  const parts = [
    'Conditions are tested when ',
    ...triggerParts(rule.trigger, texts),
    '. An attendee does not count if ',
    ...cases,
    '.',
  ];
  return (
    <Stack gap={6} mt={10} role="note" aria-label="When conditions are tested">
      <Text size="sm" component="p" m={0} style={{ overflowWrap: 'anywhere' }}>
        <Sentence parts={parts} />
      </Text>
      {children ? <Group gap="xs">{children}</Group> : null}
    </Stack>
  );
}
