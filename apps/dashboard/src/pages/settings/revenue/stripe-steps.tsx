import { CopyAction, CopyButton } from '../../../components/copy.tsx';
import type { RevenueSource } from '../../../trpc.ts';
import styles from './source-card.module.css';

/** The way to connect Stripe, step by step. */
export const StripeSteps = ({ url, eventTypes }: Pick<RevenueSource, 'url' | 'eventTypes'>) => (
  <ol className={styles['steps']}>
    <li>
      In the dashboard of Stripe, open Developers, then Webhooks, and add an endpoint with the API version
      2024-10-28 or a later one. Earlier ones may send no event for each refund.
    </li>
    <li>
      Paste this address: <code>{url}</code> <CopyAction text={url} label="Copy address for Stripe" />
    </li>
    <li>
      Choose these events. Others are answered and ignored.
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
