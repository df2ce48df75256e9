import { DueTime } from '../../components/relative-time.tsx';
import type { Delivery } from '../../trpc.ts';
import { AttemptItem } from './attempt-item.tsx';
import styles from './attempt-timeline.module.css';

/** The tries in order, and the time of the next one. */
export function AttemptTimeline({ delivery }: { delivery: Delivery }) {
  const { attemptLog, triesLeft, nextAttemptAt, status, body } = delivery;
  const isWaiting = status === 'queued' || status === 'retrying';
  if (attemptLog.length === 0 && !isWaiting) {
    return (
      <span className={styles['quiet']}>
        {status === 'cancelled' ? 'Cancelled before it was sent.' : 'None yet.'}
      </span>
    );
  }
  return (
    <ol className={styles['timeline']}>
      {attemptLog.map((attempt) => (
        <AttemptItem key={attempt.number} attempt={attempt} body={body} />
      ))}
      {isWaiting ? (
        <li className={styles['attempt']}>
          <span className={styles['mark']} data-outcome="waiting" aria-hidden />
          <span className={styles['line']}>
            <span>Try {attemptLog.length + 1}</span>
            <span className={styles['quiet']}>
              {nextAttemptAt === null ? 'soon' : <DueTime at={nextAttemptAt} />}
            </span>
            <span className={styles['quiet']}>
              {triesLeft === 1 ? 'the last try' : `${triesLeft} tries left`}
            </span>
          </span>
        </li>
      ) : null}
    </ol>
  );
}
