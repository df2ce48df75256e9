import type { WordStyle } from '../../components/status.tsx';
import { formatCount, formatMinute, formatPlural } from '../../format.ts';
import type { Recovery } from '../../trpc.ts';

/** A count that may have ended early: "128 deliveries", "at least 100,000 deliveries". */
export const totalText = ({ total, isTotalCapped }: Pick<Recovery, 'total' | 'isTotalCapped'>): string =>
  `${isTotalCapped ? 'at least ' : ''}${total === 1 ? '1 delivery' : `${formatCount(total)} deliveries`}`;

/** "40 of 128 queued again" */
export const progressText = ({ queued, total, isTotalCapped }: Recovery): string =>
  `${formatCount(queued)} of ${isTotalCapped ? 'at least ' : ''}${formatCount(Math.max(queued, total))} queued again`;

export const recoveryStyles: Record<Recovery['state'], WordStyle> = {
  running: { tone: 'info', isMoving: true, word: 'Running' },
  done: { tone: 'good', word: 'Done' },
  cancelled: { tone: 'quiet', word: 'Cancelled' },
};

const statusWords: Record<Recovery['statuses'][number], string> = {
  failure: 'failed',
  cancelled: 'cancelled',
  success: 'delivered',
};

/** "failed or cancelled since 26 Nov, 16:00, 2 event types" */
export function scopeText({ since, statuses, eventTypes }: Recovery): string {
  const words = statuses.map((status) => statusWords[status]).join(' or ');
  const types = eventTypes ? `, ${formatPlural(eventTypes.length, 'event type')}` : '';
  return `${words} since ${formatMinute(since)}${types}`;
}

export const cancelTexts: Record<NonNullable<Recovery['cancelReason']>, string> = {
  requested: 'stopped by hand',
  switched_off: 'switched off meanwhile',
  deleted: 'deleted meanwhile',
};

/** Counts end here. */
const countMax = 100_000;

/** "1 delivery", "1,204 deliveries", "at least 100,000 deliveries" */
export const waitingText = (count: number): string =>
  `${count >= countMax ? 'at least ' : ''}${formatPlural(count, 'delivery', 'deliveries')}`;

/** "3 waiting", in rows of lists, which count up to 10,000. */
export const waitingMark = (count: number): string =>
  `${formatCount(count)}${count >= listedMax ? '+' : ''} waiting`;

const listedMax = 10_000;

/** "Waits" or "wait", for the count before it. */
export const verbOf = (count: number): string => (count === 1 ? 'waits' : 'wait');
