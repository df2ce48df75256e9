import '../../../components/choices.css';
import { Button, Group, Modal, Progress, Skeleton, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { DialogForm } from '../../../components/dialog-form.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { GuardedButton } from '../../../components/guarded-button.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { Section } from '../../../components/section.tsx';
import { Status, type WordStyle } from '../../../components/status.tsx';
import { formatCount, formatPlural } from '../../../format.ts';
import { useTRPC, useTRPCClient, type Connection, type ContactRun } from '../../../trpc.ts';
import recoveryStyles from '../../source/recovery.module.css';
import { findSendingBlock } from './tools.ts';

const runStyles: Record<ContactRun['status'], WordStyle> = {
  running: { tone: 'info', isMoving: true, word: 'Running' },
  done: { tone: 'good', word: 'Done' },
  cancelled: { tone: 'quiet', word: 'Cancelled' },
};

/** While a run goes on, its count is read again after this time. */
const countEveryMs = 2000;

/** "Send everyone again": the progress of the running one, a button for a new one, and earlier ones. */
export function RunsSection({ connection, isOwner }: { connection: Connection; isOwner: boolean }) {
  const trpc = useTRPC();
  const { id: connectionId } = connection;
  const [isAsking, setAsking] = useState(false);
  const { data, error, refetch } = useQuery(
    trpc.contacts.listRuns.queryOptions(
      { connectionId },
      {
        refetchInterval: ({ state }) =>
          state.data?.data.some(({ status }) => status === 'running') ? countEveryMs : false,
      },
    ),
  );
  const runs = data?.data;
  const running = runs?.find(({ status }) => status === 'running');
  const earlier = runs?.filter((run) => run !== running).slice(0, 5) ?? [];
  return (
    <Section
      title="Send everyone again"
      text="Sends the values and tags of every registrant. New changes go first. Automations of the tool that start with a list or an event do not start."
      apiCall={{ operation: 'GET /connections/{connectionId}/runs', params: { connectionId } }}
      action={
        running ? null : (
          <GuardedButton
            variant="default"
            reason={findSendingBlock(connection, isOwner)}
            onClick={() => setAsking(true)}
          >
            Send everyone again
          </GuardedButton>
        )
      }
    >
      {error && !runs ? <FailureNotice error={error} onRetry={() => void refetch()} /> : null}
      {runs || error ? null : <Skeleton height={40} aria-busy />}
      {running ? <RunProgress run={running} /> : null}
      {earlier.length > 0 ? (
        <ul className={recoveryStyles['earlier']} aria-label="Earlier runs">
          {earlier.map((run) => (
            <li key={run.id}>
              <span>
                <Status {...runStyles[run.status]} />
              </span>
              <span className={recoveryStyles['count']}>{progressText(run)}</span>
              <RelativeTime at={run.startedAt} />
            </li>
          ))}
        </ul>
      ) : null}
      <Modal opened={isAsking} onClose={() => setAsking(false)} title="Send everyone again">
        {isAsking ? <StartRun connection={connection} onClose={() => setAsking(false)} /> : null}
      </Modal>
    </Section>
  );
}

/** "2 of 1,204 people", "2 of 1,204 people, 3 left out" */
const progressText = ({ sent, total, leftOut }: ContactRun): string =>
  `${formatCount(sent)} of ${formatPlural(total, 'person', 'people')}${leftOut === 0 ? '' : `, ${formatCount(leftOut)} left out`}`;

function useRunsChanged() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries(trpc.contacts.listRuns.pathFilter());
}

function RunProgress({ run }: { run: ContactRun }) {
  const { contacts } = useTRPCClient();
  const { id: runId, connectionId, sent, leftOut, total } = run;
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => contacts.cancelRun.mutate({ connectionId, runId }),
    onSettled: useRunsChanged(),
  });
  return (
    <section className={recoveryStyles['progress']} aria-label="Run">
      <Group justify="space-between" gap="xs" wrap="nowrap" mb={8}>
        <Group gap="xs">
          <Status {...runStyles.running} />
          <Text size="sm" fw={550} className={recoveryStyles['count']}>
            {progressText(run)}
          </Text>
        </Group>
        <Button variant="default" size="compact-xs" loading={isPending} onClick={() => mutate()}>
          Cancel
        </Button>
      </Group>
      <Progress
        value={Math.min(100, ((sent + leftOut) / Math.max(1, total)) * 100)}
        size={6}
        radius="xl"
        aria-label="Progress of the run"
      />
      {error ? <FailureNotice error={error} /> : null}
    </section>
  );
}

function StartRun({ connection, onClose }: { connection: Connection; onClose: () => void }) {
  const { contacts } = useTRPCClient();
  const changed = useRunsChanged();
  const { id: connectionId, name } = connection;
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => contacts.startRun.mutate({ connectionId }),
    onSuccess: async () => {
      await changed();
      onClose();
    },
  });
  return (
    <DialogForm
      error={error}
      submit="Send everyone"
      isPending={isPending}
      apiCall={{ operation: 'POST /connections/{connectionId}/runs', params: { connectionId } }}
      onSubmit={() => mutate()}
      onCancel={onClose}
    >
      <Text size="sm">
        Every registrant of this workspace is sent to {name} with the present values and tags. New changes of
        registrants go first. You can cancel it at any time: what was sent stays.
      </Text>
    </DialogForm>
  );
}
