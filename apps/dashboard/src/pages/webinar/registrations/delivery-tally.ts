// The webhooks of one attendee in a few words.
import type { Tone } from '../../../components/status.tsx';
import type { DeliverySummary } from '../../../trpc.ts';
import { isUnfinished } from '../../delivery/delivery-status.tsx';

type Sent = Pick<DeliverySummary, 'id' | 'status' | 'redeliveryOf'>;

export interface Tally {
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
