import { Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { Status } from '../../../components/status.tsx';
import { useRetention } from '../../../retention.ts';
import { useTRPC } from '../../../trpc.ts';
import { ExecutionDetails } from './execution-details.tsx';
import { explanationText } from './explanation-text.ts';
import { useRegistration } from './registration-picker.tsx';
import styles from './rule-editor.module.css';

interface ExplanationProps {
  webinarId: string;
  ruleId: string;
  registrationId: string;
}

/** The answer to whether a rule fired for one attendee, with the reason if it did not. */
export function Explanation({ webinarId, ruleId, registrationId }: ExplanationProps) {
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
      </Stack>
    </div>
  );
}
