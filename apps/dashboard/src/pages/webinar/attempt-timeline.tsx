import { DueTime, RelativeTime } from '../../components/relative-time.tsx';
import { formatMilliseconds } from '../../format.ts';
import type { Delivery } from '../../trpc.ts';
import styles from './attempt-timeline.module.css';
import { failureText } from './failure-text.ts';

type Attempt = Delivery['attemptLog'][number];

/** What was tried, in order, and when the next try is due. */
export function AttemptTimeline({
  delivery: { attemptLog, attemptsMax, nextAttemptAt, status },
}: {
  delivery: Delivery;
}) {
  const isWaiting = nextAttemptAt !== null && status !== 'delivering';
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
        <AttemptItem key={attempt.number} attempt={attempt} />
      ))}
      {isWaiting ? (
        <li className={styles['attempt']}>
          <span className={styles['mark']} data-outcome="waiting" aria-hidden />
          <span className={styles['line']}>
            <span>
              Attempt {attemptLog.length + 1} of {attemptsMax}
            </span>
            <span className={styles['quiet']}>
              <DueTime at={nextAttemptAt} />
            </span>
          </span>
        </li>
      ) : null}
    </ol>
  );
}

function AttemptItem({ attempt }: { attempt: Attempt }) {
  const { number, startedAt, durationMs, responseCode, failure, failureMessage, responseSnippet } = attempt;
  const isGood = responseCode !== null && responseCode >= 200 && responseCode < 300 && !failure;
  return (
    <li className={styles['attempt']}>
      <span className={styles['mark']} data-outcome={isGood ? 'good' : 'bad'} aria-hidden />
      <span className={styles['line']}>
        <span>Attempt {number}</span>
        <strong>{isGood ? responseCode : failureText(attempt)}</strong>
        <span className={styles['quiet']}>{formatMilliseconds(durationMs)}</span>
        <span className={styles['quiet']}>
          <RelativeTime at={startedAt} />
        </span>
      </span>
      {failureMessage ? <div className={styles['quiet']}>{failureMessage}</div> : null}
      {responseSnippet ? <code className={styles['snippet']}>{responseSnippet}</code> : null}
    </li>
  );
}
