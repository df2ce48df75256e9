import { Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { CodeSamples } from '../../../components/code-samples.tsx';
import { CopyableCode, CopyButton } from '../../../components/copy.tsx';
import { Facts } from '../../../components/facts.tsx';
import { Notice } from '../../../components/notice.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { Status, type WordStyle } from '../../../components/status.tsx';
import { formatPlural } from '../../../format.ts';
import type { RevenueSource } from '../../../trpc.ts';
import { sendSamples, signatureHeader } from './send-sample-code.ts';
import styles from './source-card.module.css';
import { SourceSecret } from './source-secret.tsx';
import { countsText, refusalText, sourceTexts } from './sources.ts';
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
        <Status {...statusOf(source)} />
      </header>
      <Stack gap="md">
        <Facts
          facts={[
            ['Address', <CopyableCode key="url" text={url} label={`Copy address of ${title}`} />],
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

function statusOf({ secretLast4, lastReceivedAt, lastRefusedAt }: RevenueSource): WordStyle {
  if (secretLast4 === null) return { tone: 'quiet', isHollow: true, word: 'Not connected' };
  if (lastRefusedAt !== null && lastRefusedAt > (lastReceivedAt ?? ''))
    return { tone: 'bad', word: 'Last event refused' };
  return lastReceivedAt === null
    ? { tone: 'warn', isHollow: true, word: 'Waiting for the first event' }
    : { tone: 'good', word: 'Receiving' };
}

/** Code that signs and sends a purchase and its refund, in four languages. */
function SendSamples({ url }: { url: string }) {
  return (
    <>
      <Text size="sm" c="dimmed" mb={8}>
        Send one request for each purchase, refund and chargeback. The header <code>{signatureHeader}</code>{' '}
        has the signature of the exact body; the whole secret is the key, <code>whsec_</code> included.
        Amounts are in the smallest unit of the currency; refunds and chargebacks are negative and name the{' '}
        <code>event_id</code> of their purchase in <code>original_transaction_id</code>. A renewal names the
        first purchase of its subscription there, and gets its credit.
      </Text>
      <CodeSamples samples={sendSamples(url, 'purchase')} purpose="Send a purchase" />
      <Text size="sm" c="dimmed" mt={16} mb={8}>
        A refund has an <code>event_id</code> of its own:
      </Text>
      <CodeSamples samples={sendSamples(url, 'refund')} purpose="Send a refund" />
      <Text size="sm" c="dimmed" mt={16}>
        A tool that cannot sign posts the same body to <code>/api/v1/revenue/events</code>, or up to 200 of
        them to <code>/api/v1/revenue/events/bulk</code>, with an API key that has the scope{' '}
        <code>revenue:write</code>.
      </Text>
    </>
  );
}

/** The way to connect Stripe, step by step. */
const StripeSteps = ({ url, eventTypes }: Pick<RevenueSource, 'url' | 'eventTypes'>) => (
  <ol className={styles['steps']}>
    <li>
      In the dashboard of Stripe, open Developers, then Webhooks, and add an endpoint. Any API version is
      read.
    </li>
    <li>
      Paste this address: <CopyableCode text={url} label="Copy address for Stripe" />
    </li>
    <li>
      Choose all of these events. Without <code>invoice_payment.paid</code>, payments of invoices count twice
      from API version 2025-03-31 on. Others are answered and ignored.
      <ul className={styles['types']} aria-label="Events to choose in Stripe">
        {eventTypes.map((type) => (
          <li key={type}>
            <code>{type}</code>
          </li>
        ))}
      </ul>
      <CopyButton text={eventTypes.join('\n')} label="Copy the names" size="compact-sm" mt={6} />
    </li>
    <li>Reveal the signing secret of the new endpoint in Stripe, and paste it here with “Paste secret”.</li>
    <li>
      An offer that leads to a payment link of Stripe (<code>buy.stripe.com</code>) needs nothing more: the
      click and the e-mail address of the attendee are added to the link. From a sales page of your own, put
      the value of <code>svc_click</code> from its address into <code>client_reference_id</code> or{' '}
      <code>metadata.svc_click</code> of the checkout session. Without it, purchases are matched by e-mail.
    </li>
  </ol>
);
