// When an attendee joins and leaves from the service's point of view, derived from the calls that it answered.
import { addCounts, atMost, exactly, never, type Count } from '../count.ts';

/** A call of a page in a live session. The service counted it at a moment between the two times. */
export interface Signal {
  type: 'beat' | 'leave';
  sentMs: number;
  answeredMs: number;
  /** False for a call without an answer: the service may not have received it. */
  isSure: boolean;
}

export interface Presence {
  /** Number of joins. Each is webhooks by a leave, at the latest at the end. */
  joined: Count;
  heard: Span | undefined;
  /** Since the leave beacon of a page. */
  leaving: Span | undefined;
}

interface Span {
  fromMs: number;
  toMs: number;
}

export const absent: Presence = { joined: never, heard: undefined, leaving: undefined };

/** An attendee has left 60 s after the leave beacon, or 90 s after the last heartbeat. */
const graceMs = 60_000;
const silenceMs = 90_000;
/** The service checks presence every few seconds. An attendee who returns before the check has not left. */
const checkMs = 15_000;

export function applySignal(presence: Presence, signal: Signal): Presence {
  const heard = { fromMs: signal.sentMs, toMs: signal.answeredMs };
  const { joined } = presence;
  if (!signal.isSure)
    return { ...presence, joined: joined.most === 0 ? atMost(1) : addCounts(joined, atMost(1)) };
  const came = joined.most === 0 ? exactly(1) : addCounts(joined, countReturns(presence, signal));
  return {
    // If only a call without an answer was known before, the attendee is certainly present now.
    joined: { ...came, least: Math.max(came.least, 1) },
    heard,
    leaving: signal.type === 'leave' ? heard : leavingAfter(presence, signal),
  };
}

/** A heartbeat cancels the leave beacon of a page, unless the beacon overtook it. */
const leavingAfter = ({ leaving }: Presence, { sentMs }: Signal): Span | undefined =>
  leaving && sentMs <= leaving.fromMs ? leaving : undefined;

/** The count of joins that this signal adds: one if the attendee had left before it. */
function countReturns({ heard, leaving }: Presence, signal: Signal): Count {
  const due = [
    ...(heard ? [{ fromMs: heard.fromMs + silenceMs, toMs: heard.toMs + silenceMs }] : []),
    ...(leaving ? [{ fromMs: leaving.fromMs + graceMs, toMs: leaving.toMs + graceMs }] : []),
  ];
  if (due.length === 0) return never;
  const earliest = Math.min(...due.map(({ fromMs }) => fromMs));
  const latest = Math.min(...due.map(({ toMs }) => toMs)) + checkMs;
  if (signal.answeredMs < earliest) return never;
  return signal.sentMs > latest ? exactly(1) : atMost(1);
}
