import type { Breakdown, PaymentState, RevenueEventType } from '@service/catalogue';
import type { WordStyle } from '../../components/status.tsx';
import { formatExact } from '../../format.ts';
import type { RevenueEvent } from '../../trpc.ts';

export const typeTexts: Record<RevenueEventType, string> = {
  purchase: 'Purchase',
  refund: 'Refund',
  chargeback: 'Chargeback',
  refund_reversal: 'Refund reversal',
  chargeback_reversal: 'Chargeback reversal',
  purchase_reversal: 'Purchase reversal',
};

export const stateStyles: Record<PaymentState, WordStyle> = {
  paid: { tone: 'good', word: 'Paid' },
  partially_refunded: { tone: 'warn', isHollow: true, word: 'Partly refunded' },
  refunded: { tone: 'quiet', word: 'Refunded' },
  charged_back: { tone: 'bad', word: 'Charged back' },
};

export const breakdownTexts: Record<Breakdown, string> = {
  webinar: 'Webinar',
  offer: 'Offer',
  level: 'Level',
  utmSource: 'UTM source',
  source: 'Source',
};

const sourceTexts: Record<string, string> = { generic: 'Generic', stripe: 'Stripe' };

/** The name of a source. A source without a text is shown by its own name. */
export const sourceText = (source: string): string => sourceTexts[source] ?? source;

const reasonTexts: Record<string, string> = {
  no_email: 'No e-mail and no other match',
  no_match: 'No registration matches',
  outside_window: 'The last activity is older than the window',
  cancelled: 'Cancelled before the purchase',
  touch_after_purchase: 'Registered only after the purchase',
  unpaired: 'Its purchase has not arrived yet',
  waiting: 'Waits for its refund or chargeback',
  taken_away: 'Taken away by an owner',
};

/** Why an event has no credit, in short. */
export const reasonText = (reason: string | null): string =>
  reason === null ? '' : (reasonTexts[reason] ?? reason);

/** A sentence of the API with its times in the zone of the reader, as in the timeline beside it. The API writes them in UTC. */
export const toLocalTimes = (sentence: string): string =>
  sentence.replaceAll(
    /\bon (\d{4}-\d{2}-\d{2}) at (\d{2}:\d{2}:\d{2}) UTC\b/g,
    (_utc, day: string, time: string) => `on ${formatExact(`${day}T${time}Z`)}`,
  );

/** The levels of a credit, as people read them. */
export const levelTexts: Record<RevenueEvent['credit']['level'], string> = {
  offer_click: 'Offer click',
  attended: 'Attended',
  registered: 'Registered',
  unattributed: 'Unattributed',
};
