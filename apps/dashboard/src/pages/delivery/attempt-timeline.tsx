import { Group } from '@mantine/core';
import { IconCornerDownRight } from '@service/icons';
import type { ReactNode } from 'react';
import { toCurl } from '../../api-call.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { CopyButton } from '../../components/copy.tsx';
import { DueTime, RelativeTime } from '../../components/relative-time.tsx';
import { formatMilliseconds } from '../../format.ts';
import type { Delivery } from '../../trpc.ts';
import styles from './attempt-timeline.module.css';
import { failureText } from './delivery-status.tsx';
import timingBarStyles from './timing-bar.module.css';

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

type Attempt = Delivery['attemptLog'][number];

/** One try: result, URL and redirects, timing, response, and the headers of both. */
function AttemptItem({ attempt, body }: { attempt: Attempt; body: string }) {
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

/** The sent headers of one try, collapsed at first. */
const SentRequest = ({ attempt, body }: { attempt: Attempt; body: string }) => (
  <Headers name="Request headers" attempt={attempt} headers={attempt.requestHeaders}>
    <CopyCurl size="compact-xs" attempt={attempt} body={body} />
  </Headers>
);

/** The headers of the response to one try, collapsed at first. */
const ResponseHeaders = ({ attempt }: { attempt: Attempt }) => (
  <Headers name="Response headers" attempt={attempt} headers={attempt.responseHeaders} />
);

interface HeadersProps {
  name: string;
  attempt: Attempt;
  headers: Readonly<Record<string, string>>;
  /** Further buttons. */
  children?: ReactNode;
}

function Headers({ name, attempt, headers, children }: HeadersProps) {
  const lines = Object.entries(headers).map(([header, value]) => `${header}: ${value}`);
  if (lines.length === 0) return null;
  const text = lines.join('\n');
  return (
    <details className={styles['sent']}>
      <summary>
        {name} ({lines.length})
      </summary>
      <CodeBlock text={text} label={`${name} of try ${attempt.number}`} />
      <Group gap="xs" mt={8}>
        <CopyButton size="compact-xs" text={text} label="Copy headers" />
        {children}
      </Group>
    </details>
  );
}

interface CopyCurlProps {
  attempt: Attempt;
  body: string;
  size?: 'compact-xs' | 'xs';
}

/** A button that copies the request of a try as a command. */
export const CopyCurl = ({ attempt: { url, requestHeaders }, body, size = 'xs' }: CopyCurlProps) => (
  <CopyButton size={size} text={toCurl({ url, headers: requestHeaders, body })} label="Copy as curl" />
);

/** The phases of an attempt. Empty when the attempt ended before the first measurement. */
function TimingBar({ attempt }: { attempt: Timed }) {
  const phases = timingPhases(attempt);
  if (phases.length === 0) return null;
  const { connectMs, firstByteMs } = attempt.timings;
  return (
    <div className={timingBarStyles['timing']}>
      <div className={timingBarStyles['bar']} aria-hidden>
        {phases.map(({ phase, ms }) => (
          <span key={phase} data-phase={phase} style={{ flexGrow: ms }} />
        ))}
      </div>
      <ul className={timingBarStyles['legend']}>
        {connectMs === null && firstByteMs !== null ? <li>Connection reused</li> : null}
        {phases.map(({ name, phase, ms }) => (
          <li key={phase}>
            <span className={timingBarStyles['swatch']} data-phase={phase} aria-hidden />
            {name} {formatMilliseconds(ms)}
          </li>
        ))}
      </ul>
    </div>
  );
}

type Timed = Pick<Attempt, 'timings' | 'durationMs'>;

interface Phase {
  name: string;
  phase: string;
  ms: number;
}

/** Consecutive phases whose sum is the duration of the attempt. `firstByteMs` is counted from the start of the attempt. */
export function timingPhases({ timings, durationMs }: Timed): Phase[] {
  const { dnsMs, connectMs, tlsMs, firstByteMs } = timings;
  const opening = [
    { name: 'DNS', phase: 'dns', ms: dnsMs },
    { name: 'Connect', phase: 'connect', ms: connectMs },
    { name: 'TLS', phase: 'tls', ms: tlsMs },
  ].flatMap(({ ms, ...phase }) => (ms === null ? [] : [{ ...phase, ms }]));
  const openedMs = opening.reduce((sum, { ms }) => sum + ms, 0);
  if (firstByteMs === null) {
    if (opening.length === 0) return [];
    return [...opening, { name: 'No answer', phase: 'rest', ms: Math.max(0, durationMs - openedMs) }];
  }
  return [
    ...opening,
    { name: 'First byte', phase: 'first-byte', ms: Math.max(0, firstByteMs - openedMs) },
    { name: 'Rest', phase: 'rest', ms: Math.max(0, durationMs - firstByteMs) },
  ];
}
