import { Skeleton, Stack, Text, Title } from '@mantine/core';
import { skipReasons } from '@service/catalogue';
import { useQuery } from '@tanstack/react-query';
import type { inferRouterOutputs } from '@trpc/server';
import { useState } from 'react';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { SearchSelect } from '../../../components/search-select.tsx';
import { Status } from '../../../components/status.tsx';
import { formatExact } from '../../../format.ts';
import { useRetention } from '../../../retention.ts';
import { useTRPC, type Rule, type ServiceRouter } from '../../../trpc.ts';
import { ConditionResults, ExecutionDetails } from './execution-details.tsx';
import { RegistrationPicker, useRegistration } from './registration-picker.tsx';
import styles from './rule-panels.module.css';

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
  const isOneRule = rules.length === 1 && (registrationId === undefined || onRegistration !== undefined);
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
          <SearchSelect
            label="Rule"
            placeholder="Choose a rule"
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

interface ExplanationProps {
  webinarId: string;
  ruleId: string;
  registrationId: string;
}

/** The answer to whether a rule fired for one attendee, with the reason if it did not. */
function Explanation({ webinarId, ruleId, registrationId }: ExplanationProps) {
  const trpc = useTRPC();
  const kept = useRetention()?.history;
  const attendee = useRegistration(webinarId, registrationId);
  const { data, error, refetch } = useQuery(
    trpc.automations.rules.explain.queryOptions({ webinarId, ruleId, registrationId }),
  );
  if (error && !data) return <FailureNotice error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={56} aria-busy />;
  const explanation = data.data;
  const [newest] = explanation.executions;
  const hasFired = explanation.kind === 'fired';
  return (
    <div className={styles['sentence']} role="status" aria-label="Answer">
      <Stack gap="sm">
        <div style={{ overflowWrap: 'anywhere' }}>
          <Status tone={hasFired ? 'good' : 'quiet'} isHollow={!hasFired}>
            {hasFired ? 'Fired' : 'Did not fire'}
          </Status>
          <Text size="sm" mt={6}>
            {explanationText(explanation, { who: attendee?.name ?? 'this attendee', kept })}
          </Text>
        </div>
        {newest ? <ExecutionDetails webinarId={webinarId} execution={newest} /> : null}
        {explanation.conditionsNow.length > 0 ? (
          <div>
            <Text size="sm" fw={550} mb={2}>
              The conditions of the rule as they are now
            </Text>
            <ConditionResults webinarId={webinarId} results={explanation.conditionsNow} time="Now" />
          </div>
        ) : null}
      </Stack>
    </div>
  );
}

type ExplanationData = inferRouterOutputs<ServiceRouter>['automations']['rules']['explain']['data'];

interface About {
  /** The attendee, or "this attendee" until the name is loaded. */
  who: string;
  /** "for 90 days" */
  kept: string | undefined;
}

type Answer = (explanation: ExplanationData, about: About) => string;

/** The answer for each kind of explanation. */
const answers: Record<ExplanationData['kind'], Answer> = {
  fired: (_explanation, { who }) => `It fired for ${who}.`,
  skipped: ({ executions }, { who }) => {
    const reason = executions[0]?.skipReason;
    return `It did not fire for ${who}${reason ? `, because ${skipReasons[reason].because}` : ''}.`;
  },
  event_has_not_happened: ({ watched }, { who }) =>
    watched === null
      ? `The event has not happened for ${who} yet.`
      : `The event has not happened for ${who} yet: they have watched ${watched.minutes} min so far, ${watched.percent} % of the video.`,
  other_event_happened: (_explanation, { who }) =>
    `Such an event happened for ${who}, but not the one that the rule asks for.`,
  not_due_yet: ({ at }, { who }) => `It is not due yet. For ${who} it is due on ${timeOf(at)}.`,
  rule_is_off: ({ at }) =>
    `The rule is switched off, so nothing was evaluated. The event was on ${timeOf(at)}.`,
  rule_is_newer: ({ at }, { who }) =>
    `The event happened for ${who} on ${timeOf(at)}, before the rule was made. A rule does not fire for earlier events.`,
  rule_was_changed: ({ at }, { who }) =>
    `The event happened for ${who} on ${timeOf(at)}. The rule was changed or switched on after that.`,
  no_record: ({ at }, { kept }) =>
    `There is no record of it. The event was on ${timeOf(at)}${kept ? `; executions are kept ${kept}` : ''}.`,
};

const timeOf = (at: string | null): string => (at === null ? 'an unknown date' : formatExact(at));

const explanationText: Answer = (explanation, about) => answers[explanation.kind](explanation, about);
