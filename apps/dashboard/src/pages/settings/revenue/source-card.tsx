import { Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { CopyAction } from '../../../components/copy.tsx';
import { Facts } from '../../../components/facts.tsx';
import { Notice } from '../../../components/notice.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { Status, type StatusStyle } from '../../../components/status.tsx';
import { formatPlural } from '../../../format.ts';
import type { RevenueSource } from '../../../trpc.ts';
import { SendSamples } from './send-samples.tsx';
import { SourceSecret } from './source-secret.tsx';
import { countsText, refusalText, sourceTexts } from './source-texts.ts';
import { StripeSteps } from './stripe-steps.tsx';
import styles from './source-card.module.css';
import { TestEvent } from './test-event.tsx';

interface SourceCardProps {
  source: RevenueSource;
  isOwner: boolean;
}

/** A source of revenue events: its address, its secret, and when it was last used. */
export function SourceCard({ source, isOwner }: SourceCardProps) {
  const { provider, url, lastReceivedAt, lastRefusedAt, lastRefusedReason, secretLast4 } = source;
  const { lastConflictAt, lastConflictEventId } = source;
  const { title, text } = sourceTexts(provider);
  const { word, ...style } = statusOf(source);
  // The first value only: the first event must not fold the steps away while they are read.
  const [isSetUpOpen] = useState(lastReceivedAt === null);
  return (
    <section className={styles['card']} aria-label={title}>
      <header className={styles['head']}>
        <div>
          <Title order={3}>{title}</Title>
          <Text size="sm" c="dimmed">
            {text}
          </Text>
        </div>
        <Status {...style}>{word}</Status>
      </header>
      <Stack gap="md">
        <Facts
          facts={[
            [
              'Address',
              <span key="url">
                <code>{url}</code> <CopyAction text={url} label={`Copy address of ${title}`} />
              </span>,
            ],
            ['Last received', <RelativeTime key="received" at={lastReceivedAt} />],
            [
              'Last refused',
              <span key="refused">
                <RelativeTime at={lastRefusedAt} />
                {lastRefusedReason === null ? null : <>. {refusalText(lastRefusedReason)}</>}
              </span>,
            ],
            ['Today (UTC)', countsText(source.today)],
          ]}
        />
        {lastConflictAt === null ? null : (
          <Notice tone="warn">
            The event id <code>{lastConflictEventId}</code> arrived again with other content{' '}
            <RelativeTime at={lastConflictAt} />. The first content was kept, and owners find the other one
            under Refused events. Use a new id for each event, such as <code>order_1001:refund_1</code>.
          </Notice>
        )}
        {source.invoicesWithoutPayment === 0 ? null : (
          <Notice tone="warn">
            {formatPlural(source.invoicesWithoutPayment, 'invoice')} arrived without the event{' '}
            <code>invoice_payment.paid</code>. In this API version of Stripe nothing else says which charge
            paid an invoice, so these payments count twice and fire twice. Select this event at Stripe.
          </Notice>
        )}
        <SourceSecret source={source} title={title} isOwner={isOwner} />
        {isOwner && secretLast4 !== null ? <TestEvent provider={provider} title={title} /> : null}
        <details open={isSetUpOpen}>
          <summary className={styles['summary']}>Set up {title}</summary>
          <SetUp source={source} title={title} />
        </details>
      </Stack>
    </section>
  );
}

/** The steps of Stripe, code that signs with our secret, or one sentence for any other provider. */
function SetUp({ source, title }: Pick<SourceCardProps, 'source'> & { title: string }) {
  const { provider, url, eventTypes, secretMadeBy } = source;
  if (provider === 'stripe') return <StripeSteps url={url} eventTypes={eventTypes} />;
  if (secretMadeBy === 'service') return <SendSamples url={url} />;
  return (
    <Text size="sm" c="dimmed">
      Add a webhook with this address at {title}, and paste the signing secret that {title} shows.
    </Text>
  );
}

function statusOf({
  secretLast4,
  lastReceivedAt,
  lastRefusedAt,
}: RevenueSource): StatusStyle & { word: string } {
  if (secretLast4 === null) return { tone: 'quiet', isHollow: true, word: 'Not connected' };
  if (lastRefusedAt !== null && lastRefusedAt > (lastReceivedAt ?? ''))
    return { tone: 'bad', word: 'Last event refused' };
  return lastReceivedAt === null
    ? { tone: 'warn', isHollow: true, word: 'Waiting for the first event' }
    : { tone: 'good', word: 'Receiving' };
}
