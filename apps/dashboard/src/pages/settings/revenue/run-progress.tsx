import '../../../components/choices.css';
import { Group, Progress, Text } from '@mantine/core';
import { Status } from '../../../components/status.tsx';
import { formatCount } from '../../../format.ts';
import type { RevenueWindow } from '../../../trpc.ts';
import styles from './window-section.module.css';

/** The progress of the run that credits all purchases again. */
export function RunProgress({ run }: { run: NonNullable<RevenueWindow['run']> }) {
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
