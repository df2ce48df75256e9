import { Button, Group, Select, Skeleton, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useRef, useState } from 'react';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { Section } from '../../../components/section.tsx';
import { formatPlural } from '../../../format.ts';
import { useTRPC, type RevenueWindow } from '../../../trpc.ts';
import styles from './window-section.module.css';

// A preview is for a changed window, and a workspace that never changed its window has no run.
const WindowPreview = lazy(async () => ({ default: (await import('./window-preview.tsx')).WindowPreview }));
const RunProgress = lazy(async () => ({ default: (await import('./window-preview.tsx')).RunProgress }));

/** The attribution window of the workspace. A change is shown before it is made. */
export function WindowSection({ isOwner }: { isOwner: boolean }) {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(trpc.revenueWindow.get.queryOptions());
  const frame = useRef<HTMLDivElement>(null);
  return (
    <Section
      title="Attribution window"
      text="A click, a joined session or a registration gets the credit for purchases in this time after it. A webinar can have its own window."
    >
      {error && !data ? <FailureNotice error={error} onRetry={() => void refetch()} /> : null}
      {data ? (
        <div ref={frame} tabIndex={-1} role="group" aria-label="Attribution window">
          <WindowForm
            key={data.data.windowDays}
            window={data.data}
            isOwner={isOwner}
            onDecided={() => frame.current?.focus()}
          />
        </div>
      ) : null}
      {data || error ? null : <Skeleton height={60} aria-busy />}
    </Section>
  );
}

interface WindowFormProps {
  window: RevenueWindow;
  isOwner: boolean;
  /** The button that was used is gone. */
  onDecided: () => void;
}

type Days = RevenueWindow['windowDays'];

function WindowForm({ window, isOwner, onDecided }: WindowFormProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [chosen, setChosen] = useState<Days>(window.windowDays);
  const isChanged = chosen !== window.windowDays;
  const { mutate, isPending, error } = useMutation(
    trpc.revenueWindow.change.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries(trpc.revenueWindow.pathFilter());
        onDecided();
      },
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
      {isChanged ? (
        <Suspense fallback={<Skeleton height={44} aria-busy />}>
          <WindowPreview windowDays={chosen} />
        </Suspense>
      ) : null}
      {error ? <FailureNotice error={error} /> : null}
      {isChanged ? (
        <Group gap="xs">
          <Button
            variant="default"
            onClick={() => {
              setChosen(window.windowDays);
              onDecided();
            }}
          >
            Keep {formatPlural(window.windowDays, 'day')}
          </Button>
          <Button loading={isPending} onClick={() => mutate({ windowDays: chosen })}>
            Change to {formatPlural(chosen, 'day')}
          </Button>
        </Group>
      ) : null}
      {window.run ? (
        <Suspense fallback={<Skeleton height={74} aria-busy />}>
          <RunProgress run={window.run} />
        </Suspense>
      ) : null}
    </div>
  );
}
