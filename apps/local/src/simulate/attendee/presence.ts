// When somebody comes and goes in the eyes of the service, told from the calls that it answered.
import { addCounts, atMost, exactly, never, type Count } from '../count.ts';

/** A call of a page in a live session. The service counted it at some moment between the two times. */
export interface Sign {
  type: 'beat' | 'leave';
  sentMs: number;
  answeredMs: number;
  /** False for one that was never answered: it may not have come through. */
  isSure: boolean;
}

export interface Presence {
  /** How often they came; as often they went, or will at the end. */
  joined: Count;
  heard: Span | undefined;
  /** Since a page said that it was being closed. */
  leaving: Span | undefined;
}

interface Span {
  fromMs: number;
  toMs: number;
}

export const notThere: Presence = { joined: never, heard: undefined, leaving: undefined };

/** Who closed the page is gone that long after it, who fell silent that long after the last heartbeat. */
const graceMs = 60_000;
const silenceMs = 90_000;
/** The service looks for who is gone every few seconds: whoever returns in between may not have been missed. */
const lookMs = 15_000;

export function hearOf(presence: Presence, sign: Sign): Presence {
  const heard = { fromMs: sign.sentMs, toMs: sign.answeredMs };
  const { joined } = presence;
  if (!sign.isSure)
    return { ...presence, joined: joined.most === 0 ? atMost(1) : addCounts(joined, atMost(1)) };
  const came = joined.most === 0 ? exactly(1) : addCounts(joined, comesBack(presence, sign));
  return {
    // Somebody of whom only a lost call was known is there for sure now.
    joined: { ...came, least: Math.max(came.least, 1) },
    heard,
    leaving: sign.type === 'leave' ? heard : leavingAfter(presence, sign),
  };
}

/** A heartbeat takes back that a page was being closed, unless the last word of that page overtook it on the way. */
const leavingAfter = ({ leaving }: Presence, { sentMs }: Sign): Span | undefined =>
  leaving && sentMs <= leaving.fromMs ? leaving : undefined;

/** Whether they had been counted as gone before this sign. */
function comesBack({ heard, leaving }: Presence, sign: Sign): Count {
  const due = [
    ...(heard ? [{ fromMs: heard.fromMs + silenceMs, toMs: heard.toMs + silenceMs }] : []),
    ...(leaving ? [{ fromMs: leaving.fromMs + graceMs, toMs: leaving.toMs + graceMs }] : []),
  ];
  if (due.length === 0) return never;
  const earliest = Math.min(...due.map(({ fromMs }) => fromMs));
  const latest = Math.min(...due.map(({ toMs }) => toMs)) + lookMs;
  if (sign.answeredMs < earliest) return never;
  return sign.sentMs > latest ? exactly(1) : atMost(1);
}
