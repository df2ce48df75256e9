import { IconCornerDownRight } from '@tabler/icons-react';
import { RelativeTime } from '../../components/relative-time.tsx';
import { formatMilliseconds } from '../../format.ts';
import type { Delivery } from '../../trpc.ts';
import styles from './attempt-timeline.module.css';
import { failureText } from './failure-text.ts';
import { ResponseHeaders, SentRequest } from './sent-request.tsx';
import { TimingBar } from './timing-bar.tsx';

type Attempt = Delivery['attemptLog'][number];

/** One try: result, URL and redirects, timing, response, and the headers of both. */
export function AttemptItem({ attempt, body }: { attempt: Attempt; body: string }) {
  const { number, url, startedAt, durationMs, responseCode, failure, failureMessage } = attempt;
  const isGood = responseCode !== null && responseCode >= 200 && responseCode < 300 && !failure;
  return (
    <li className={styles['attempt']}>
      <span className={styles['mark']} data-outcome={isGood ? 'good' : 'bad'} aria-hidden />
      <span className={styles['line']}>
        <span>Try {number}</span>
        <strong>{isGood ? `Answered ${responseCode}` : failureText(attempt)}</strong>
        <span className={styles['quiet']}>{formatMilliseconds(durationMs)}</span>
        <span className={styles['quiet']}>
          <RelativeTime at={startedAt} />
        </span>
      </span>
      <Route url={url} redirects={attempt.redirects} />
      {failureMessage ? <div className={styles['quiet']}>{failureMessage}</div> : null}
      <TimingBar attempt={attempt} />
      <Answer attempt={attempt} />
      <ResponseHeaders attempt={attempt} />
      <SentRequest attempt={attempt} body={body} />
    </li>
  );
}

/** The URL and its redirects. */
const Route = ({ url, redirects }: Pick<Attempt, 'url' | 'redirects'>) => (
  <div className={styles['route']}>
    <code>POST {url}</code>
    {redirects.map((redirect, index) => (
      // oxlint-disable-next-line react/no-array-index-key -- a redirect is its place, and may lead to the same URL twice
      <code key={index}>
        <IconCornerDownRight size={13} aria-hidden /> redirected to {redirect}
      </code>
    ))}
  </div>
);

/** The body of the response. The service keeps its first 2 KB. */
function Answer({ attempt: { number, responseCode, responseSnippet } }: { attempt: Attempt }) {
  if (responseCode === null) return null;
  if (!responseSnippet) return <div className={styles['quiet']}>The response had no body.</div>;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must take the keyboard
    <code className={styles['snippet']} role="region" aria-label={`Response to try ${number}`} tabIndex={0}>
      {responseSnippet}
    </code>
  );
}
