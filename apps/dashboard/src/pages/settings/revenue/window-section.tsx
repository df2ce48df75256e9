import '../../../components/choices.css';
import { Button, Group, Progress, Select, Skeleton, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { Section } from '../../../components/section.tsx';
import { Status } from '../../../components/status.tsx';
import { formatCount, formatPlural } from '../../../format.ts';
import { useTRPC, type RevenueWindow } from '../../../trpc.ts';
import { WindowPreview } from './window-preview.tsx';
import styles from './window-section.module.css';

/** The attribution window of the workspace. A change is shown before it is made. */
export function WindowSection({ isOwner }: { isOwner: boolean }) {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(trpc.revenueWindow.get.queryOptions());
  return (
    <Section
      title="Attribution window"
      text="A click, a joined session or a registration gets the credit for purchases in this time after it. A webinar can have its own window."
    >
      {error && !data ? <FailureNotice error={error} onRetry={() => void refetch()} /> : null}
      {data ? <WindowForm key={data.data.windowDays} window={data.data} isOwner={isOwner} /> : null}
      {data || error ? null : <Skeleton height={60} aria-busy />}
    </Section>
  );
}

interface WindowFormProps {
  window: RevenueWindow;
  isOwner: boolean;
}

type Days = RevenueWindow['windowDays'];

function WindowForm({ window, isOwner }: WindowFormProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [chosen, setChosen] = useState<Days>(window.windowDays);
  const isChanged = chosen !== window.windowDays;
  const { mutate, isPending, error } = useMutation(
    trpc.revenueWindow.change.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries(trpc.revenueWindow.pathFilter()),
    }),
  );
  if (!isOwner) return <Text size="sm">{formatPlural(window.windowDays, 'day')}</Text>;
  return (
    <div className={styles['window']}>
      <Select
        label="Window of the workspace"
        allowDeselect={false}
        maw={220}
        data={window.choices.map((days) => ({ value: String(days), label: formatPlural(days, 'day') }))}
        value={String(chosen)}
        onChange={(days) => setChosen(Number(days) as Days)}
      />
      {isChanged ? <WindowPreview windowDays={chosen} /> : null}
      {error ? <FailureNotice error={error} /> : null}
      {isChanged ? (
        <Group gap="xs">
          <Button variant="default" onClick={() => setChosen(window.windowDays)}>
            Keep {formatPlural(window.windowDays, 'day')}
          </Button>
          <Button loading={isPending} onClick={() => mutate({ windowDays: chosen })}>
            Change to {formatPlural(chosen, 'day')}
          </Button>
        </Group>
      ) : null}
      {window.run ? <RunProgress run={window.run} /> : null}
    </div>
  );
}

/** The progress of the run that credits all purchases again. */
function RunProgress({ run }: { run: NonNullable<RevenueWindow['run']> }) {
  const { state, total, checked, moved } = run;
  const isDone = state === 'done';
  const percent = isDone ? 100 : Math.min(100, (checked / Math.max(1, total)) * 100);
  return (
    <section className={styles['progress']} aria-label="Credits after the last change">
      <Group gap="xs" mb={8}>
        <Status tone={isDone ? 'good' : 'info'} isMoving={!isDone}>
          {isDone ? 'Done' : 'Running'}
        </Status>
        <Text size="sm" fw={550}>
          {formatCount(checked)} of {formatCount(Math.max(total, checked))} purchases credited again,{' '}
          {formatCount(moved)} moved
        </Text>
      </Group>
      <Progress value={percent} size={6} radius="xl" aria-label="Credited again" />
    </section>
  );
}
