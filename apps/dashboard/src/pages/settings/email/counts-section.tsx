import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { Notice } from '../../../components/notice.tsx';
import { Section } from '../../../components/section.tsx';
import { formatCount } from '../../../format.ts';
import { numberFormat } from '../../../intl-formats.ts';
import { useTRPC } from '../../../trpc.ts';
import styles from '../../revenue/currency-cards.module.css';

const days = 30;

/** Gmail and Yahoo ask senders to stay below the first share of complaints, and refuse e-mails from the second on. */
const complaintLines = { good: 0.001, max: 0.003 };

/** The e-mails that were sent, bounced and marked as spam. */
export function CountsSection() {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(trpc.mails.counts.queryOptions({ days }));
  const counts = data?.data;
  if (error && !counts) return <FailureNotice error={error} onRetry={() => void refetch()} />;
  if (!counts) return <Skeleton height={120} mt={36} aria-busy />;
  const { sent, bounced, complained, unsubscribed, suppressed, tooLate, failed, waiting } = counts;
  const complaints = sent === 0 ? 0 : complained / sent;
  const entries = [
    ['Sent', sent, waiting === 0 ? undefined : `${formatCount(waiting)} waiting`],
    ['Bounced', bounced, shareText(bounced, sent + bounced)],
    ['Marked as spam', complained, shareText(complained, sent)],
    ['Unsubscribed', unsubscribed, undefined],
    ['Suppressed', suppressed, undefined],
    ['Not sent', tooLate + failed, tooLate === 0 ? undefined : `${formatCount(tooLate)} too late`],
  ] as const;
  return (
    <Section
      title="Last 30 days"
      text="Mailboxes ask senders to stay below 0.1 % of e-mails that are marked as spam, and refuse e-mails from 0.3 % on."
    >
      <div className={styles['card']}>
        <dl className={styles['parts']} style={{ margin: 0, padding: 0, border: 0 }}>
          {entries.map(([name, count, more]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                {formatCount(count)}
                {more === undefined ? null : <span className={styles['more']}>{more}</span>}
              </dd>
            </div>
          ))}
        </dl>
      </div>
      <WaitingWarning counts={counts} />
      {complaints >= complaintLines.good ? (
        <div style={{ marginTop: 12 }}>
          <Notice tone={complaints >= complaintLines.max ? 'bad' : 'warn'}>
            {complaints >= complaintLines.max
              ? 'More than 0.3 % of the e-mails were marked as spam. Mailboxes may refuse all e-mails of your domain. Write only to people who have registered.'
              : 'More than 0.1 % of the e-mails were marked as spam. From 0.3 % on, mailboxes refuse e-mails of your domain.'}
          </Notice>
        </div>
      ) : null}
    </Section>
  );
}

/** "1,204 of 500,000" */
export const waitingText = ({ waiting, waitingMax }: { waiting: number; waitingMax: number }): string =>
  `${formatCount(waiting)} of ${formatCount(waitingMax)}`;

/** The share of the limit from which on a warning is shown. */
const warnAt = 0.8;

/** Nothing below 80 % of the limit. */
export function WaitingWarning({ counts }: { counts: { waiting: number; waitingMax: number } }) {
  const share = counts.waiting / counts.waitingMax;
  if (share < warnAt) return null;
  return (
    <div style={{ marginTop: 12 }}>
      <Notice tone={share < 1 ? 'warn' : 'bad'}>
        {waitingText(counts)} e-mails wait. {share < 1 ? 'At the limit' : 'Until there is room again,'}{' '}
        further e-mails are not sent. Repair or resume the connection that sends them.
      </Notice>
    </div>
  );
}

/** "0.12 %". Undefined without e-mails. */
const shareText = (count: number, of: number): string | undefined =>
  of === 0 ? undefined : `${numberFormat({ maximumFractionDigits: 2 }).format((count / of) * 100)} %`;
