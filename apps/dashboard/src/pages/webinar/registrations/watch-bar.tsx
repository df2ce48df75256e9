import { Text } from '@mantine/core';
import { formatDuration } from '../../../format.ts';
import type { Registration } from '../../../trpc.ts';
import styles from './watch-bar.module.css';

/** The watch time of an attendee: minutes, and percent of the video as a bar with its number. */
export function WatchBar({ attendance }: Pick<Registration, 'attendance'>) {
  if (!attendance?.firstJoinedAt) {
    return (
      <Text span inherit c="dimmed" style={{ whiteSpace: 'nowrap' }}>
        Not joined
      </Text>
    );
  }
  const { watchedSeconds, completionPercent } = attendance;
  return (
    <span className={styles['watched']}>
      <span className={styles['text']}>
        {formatDuration(watchedSeconds)} · {completionPercent} %
      </span>
      <span className={styles['bar']} aria-hidden>
        <span className={styles['part']} style={{ width: `${completionPercent}%` }} />
      </span>
    </span>
  );
}
