import { formatCount } from '../../../format.ts';
import styles from './poll-bars.module.css';

interface PollBarsProps {
  options: readonly { id: string; label: string; count: number }[];
}

/** The answers of a poll as bars. The share is of all answers to these options. */
export function PollBars({ options }: PollBarsProps) {
  const total = options.reduce((sum, { count }) => sum + count, 0);
  return (
    <ul className={styles['bars']} aria-label="Answers by option">
      {options.map(({ id, label, count }) => {
        const percent = total === 0 ? 0 : Math.round((count / total) * 100);
        return (
          <li key={id}>
            <div className={styles['words']}>
              <span className={styles['label']}>{label}</span>
              <span className={styles['count']}>
                {formatCount(count)} ({percent} %)
              </span>
            </div>
            <div className={styles['track']} aria-hidden>
              <div style={{ width: `${percent}%` }} />
            </div>
          </li>
        );
      })}
    </ul>
  );
}
