import { CopyAction, CopyButton } from '../../../components/copy.tsx';
import type { RevenueSource } from '../../../trpc.ts';
import styles from './source-card.module.css';

/** The way to connect Stripe, step by step. */
export const StripeSteps = ({ url, eventTypes }: Pick<RevenueSource, 'url' | 'eventTypes'>) => (
  <ol className={styles['steps']}>
    <li>
      In the dashboard of Stripe, open Developers, then Webhooks, and add an endpoint. Any API version is
      read.
    </li>
    <li>
      Paste this address: <code>{url}</code> <CopyAction text={url} label="Copy address for Stripe" />
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
      To credit a purchase to the click on an offer, put the value of <code>svc_click</code> from the address
      of your sales page into <code>client_reference_id</code> or <code>metadata.svc_click</code> of the
      checkout session. Without it, purchases are matched by e-mail.
    </li>
  </ol>
);
