// What one attendee did, told from the calls they made and how those were answered.
import { addCounts, atMost, exactly, never, once, type Count } from '../count.ts';
import type { Interval } from './player.ts';
import { hearOf, notThere, type Presence, type Sign } from './presence.ts';
import { addPlayed, type Seconds } from './seconds.ts';

/** What became of a call: it counted, it did not, or nobody knows. */
export type Outcome = 'done' | 'refused' | 'unknown';

export interface Doings {
  presence: Presence;
  watched: Seconds;
  /** With what was in heartbeats that were never answered, and in those that may have earned less. */
  watchedAtMost: Seconds;
  clicks: Record<'offer' | 'cta', Count>;
  votes: Map<string, Count>;
  messages: Message[];
}

interface Message {
  text: string;
  /** Undefined when the call was never answered. */
  id: string | undefined;
}

export const nothingDone = (): Doings => ({
  presence: notThere,
  watched: [],
  watchedAtMost: [],
  clicks: { offer: never, cta: never },
  votes: new Map(),
  messages: [],
});

export function noteSign(doings: Doings, sign: Sign, intervals: readonly Interval[]): void {
  doings.presence = hearOf(doings.presence, sign);
  doings.watchedAtMost = addPlayed(doings.watchedAtMost, intervals);
  if (sign.isSure) doings.watched = addPlayed(doings.watched, intervals);
}

/** Notes what was played. The service may have counted less of it. */
export function notePlayedAtMost(doings: Doings, intervals: readonly Interval[]): void {
  doings.watchedAtMost = addPlayed(doings.watchedAtMost, intervals);
}

const countOf = (outcome: Outcome): Count => {
  if (outcome === 'refused') return never;
  return outcome === 'done' ? exactly(1) : atMost(1);
};

export function noteClick(doings: Doings, on: 'offer' | 'cta', outcome: Outcome): void {
  doings.clicks[on] = addCounts(doings.clicks[on], countOf(outcome));
}

/** The same vote again changes nothing. */
export function noteVote(doings: Doings, optionId: string, outcome: Outcome): void {
  doings.votes.set(optionId, once(addCounts(doings.votes.get(optionId) ?? never, countOf(outcome))));
}

export function noteMessage(doings: Doings, message: Message, outcome: Outcome): void {
  if (outcome !== 'refused') doings.messages.push(message);
}
