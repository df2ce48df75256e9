import * as z from 'zod/mini';
import type { Tone, WordStyle } from '../../../components/status.tsx';
import { sessionTimes } from '../../../session-times.ts';
import type { DeliverySummary, Registration, Slot } from '../../../trpc.ts';
import { localTimeZone } from '../../../zoned-time.ts';
import { isUnfinished } from '../../delivery/delivery-status.tsx';

export const statusStyles: Record<Registration['status'], WordStyle> = {
  registered: { tone: 'info', isHollow: true, word: 'Registered' },
  attending: { tone: 'good', isMoving: true, word: 'Attending' },
  attended: { tone: 'good', word: 'Attended' },
  no_show: { tone: 'warn', word: 'No-show' },
  cancelled: { tone: 'quiet', isHollow: true, word: 'Cancelled' },
};

export const sourceTexts: Record<Registration['source'], string> = {
  page: 'Registration page',
  api: 'API',
  bulk: 'Import or bulk call',
  mcp: 'AI tool',
  dashboard: 'Dashboard',
};

/** "google / cpc / spring", or empty. */
export const campaignText = ({ utm }: Pick<Registration, 'utm'>): string =>
  [utm.source, utm.medium, utm.campaign, utm.term, utm.content].filter(Boolean).join(' / ');

/** The reason why a registration cannot be moved to another session. */
export function moveRefusal({ status }: Pick<Registration, 'status'>): string | undefined {
  if (status === 'registered') return undefined;
  if (status === 'cancelled') return 'The registration is cancelled.';
  return 'The attendee has joined this session or missed it. Register them for the other session instead.';
}

/** "Thu 26 Nov, 16:00 (15:00 GMT)", with the kind when it is not a scheduled session. */
export function slotText(
  { startsAt, kind }: Pick<Slot, 'startsAt' | 'kind'>,
  timeZone: string | undefined,
): string {
  const { own, webinar } = sessionTimes(startsAt, {
    webinarZone: timeZone,
    readerZone: localTimeZone(),
    thisYear: String(new Date().getFullYear()),
  });
  const time = webinar === undefined ? own : `${own} (${webinar})`;
  return kind === 'scheduled' ? time : `${time}, ${kind === 'on_demand' ? 'on demand' : 'just-in-time'}`;
}

const MoveData = z.object({
  from: z.object({ sessionTime: z.string() }),
  to: z.object({ sessionTime: z.string() }),
  by: z.object({ kind: z.enum(['attendee', 'member', 'key', 'grant']), name: z.optional(z.string()) }),
});

/** "From Thu 26 Nov, 16:00 to Fri 27 Nov, 16:00, by the API key “CRM”", from the data of the event `moved`. */
export function moveText(data: unknown, timeZone: string | undefined): string | undefined {
  const parsed = MoveData.safeParse(data);
  if (!parsed.success) return undefined;
  const { from, to, by } = parsed.data;
  const text = ({ sessionTime }: { sessionTime: string }) =>
    slotText({ startsAt: sessionTime, kind: 'scheduled' }, timeZone);
  const movers = {
    attendee: 'by the attendee',
    member: `by ${by.name}`,
    key: `by the API key “${by.name}”`,
    grant: `by the connected client “${by.name}”`,
  };
  return `From ${text(from)} to ${text(to)}, ${movers[by.kind]}`;
}

// The webhooks of one attendee in a few words.

type Sent = Pick<DeliverySummary, 'id' | 'status' | 'redeliveryOf'>;

interface Tally {
  tone: Tone;
  /** The most urgent count: "1 failed", "2 waiting", "6 ok". */
  text: string;
  /** All counts: "6 ok, 1 failed". */
  full: string;
}

/** Counts messages, not deliveries: a message that was sent again counts by its newest delivery, or as ok if any arrived. */
export function tallyOf(deliveries: readonly Sent[]): Tally | undefined {
  const states = [...Map.groupBy(deliveries, ({ id, redeliveryOf }) => redeliveryOf ?? id).values()].map(
    stateOf,
  );
  const count = (state: State): number => states.filter((one) => one === state).length;
  const counts = order.map((state) => ({ state, number: count(state) })).filter(({ number }) => number > 0);
  const urgent = counts[0];
  if (!urgent) return undefined;
  const texts = counts.map(({ state, number }) => `${number} ${state}`);
  return { tone: tones[urgent.state], text: texts[0]!, full: texts.toReversed().join(', ') };
}

type State = 'failed' | 'waiting' | 'ok' | 'cancelled';

const order: readonly State[] = ['failed', 'waiting', 'ok', 'cancelled'];

const tones: Record<State, Tone> = { failed: 'bad', waiting: 'warn', ok: 'good', cancelled: 'quiet' };

/** Of the deliveries of one message, the oldest first. */
function stateOf(deliveries: readonly Sent[]): State {
  if (deliveries.some(({ status }) => status === 'success')) return 'ok';
  const { status } = deliveries.at(-1)!;
  if (isUnfinished(status)) return 'waiting';
  return status === 'failure' ? 'failed' : 'cancelled';
}
