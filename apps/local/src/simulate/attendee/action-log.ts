// The actions of one attendee, derived from the calls and their answers.
import { addCounts, atMost, exactly, never, once, type Count } from '../count.ts';
import type { Fact } from '../shop/order.ts';
import { addPlayed, type Interval, type Seconds } from './player.ts';
import { applySignal, absent, type Presence, type Signal } from './presence.ts';

/** The result of a call. Unknown: it may have counted or not. */
export type Outcome = 'done' | 'refused' | 'unknown';

/** The interactions of the webinar with a link. */
export const clickTargets = ['offer', 'cta', 'handout'] as const;
export type ClickTarget = (typeof clickTargets)[number];

/** The interactions of the webinar. */
export const interactionTypes = [...clickTargets, 'poll'] as const;
export type InteractionType = (typeof interactionTypes)[number];

export interface ActionLog {
  presence: Presence;
  watched: Seconds;
  /** Includes heartbeats without an answer, and heartbeats that may have earned less. */
  watchedAtMost: Seconds;
  views: Record<InteractionType, Count>;
  /** The downloads of the handout are clicks on its link. */
  clicks: Record<ClickTarget, Count>;
  votes: Map<string, Count>;
  messages: Message[];
  /** The reports of the shop and its payment providers about this attendee. */
  bought: Bought | undefined;
}

export interface Bought {
  currency: string;
  facts: readonly Fact[];
}

interface Message {
  text: string;
  /** Undefined when the call had no answer. */
  id: string | undefined;
}

export const createActionLog = (): ActionLog => ({
  presence: absent,
  watched: [],
  watchedAtMost: [],
  views: { offer: never, cta: never, handout: never, poll: never },
  clicks: { offer: never, cta: never, handout: never },
  votes: new Map(),
  messages: [],
  bought: undefined,
});

export function noteSignal(actionLog: ActionLog, signal: Signal, intervals: readonly Interval[]): void {
  actionLog.presence = applySignal(actionLog.presence, signal);
  actionLog.watchedAtMost = addPlayed(actionLog.watchedAtMost, intervals);
  if (signal.isSure) actionLog.watched = addPlayed(actionLog.watched, intervals);
}

/** Notes played intervals. The service may have counted less. */
export function notePlayedAtMost(actionLog: ActionLog, intervals: readonly Interval[]): void {
  actionLog.watchedAtMost = addPlayed(actionLog.watchedAtMost, intervals);
}

const countOf = (outcome: Outcome): Count => {
  if (outcome === 'refused') return never;
  return outcome === 'done' ? exactly(1) : atMost(1);
};

export function noteClick(actionLog: ActionLog, on: ClickTarget, outcome: Outcome): void {
  actionLog.clicks[on] = addCounts(actionLog.clicks[on], countOf(outcome));
}

/** Only the first view counts, in any tab. */
export function noteView(actionLog: ActionLog, on: InteractionType, outcome: Outcome): void {
  actionLog.views[on] = once(addCounts(actionLog.views[on], countOf(outcome)));
}

/** The same vote again changes nothing. */
export function noteVote(actionLog: ActionLog, optionId: string, outcome: Outcome): void {
  actionLog.votes.set(optionId, once(addCounts(actionLog.votes.get(optionId) ?? never, countOf(outcome))));
}

export function noteMessage(actionLog: ActionLog, message: Message, outcome: Outcome): void {
  if (outcome !== 'refused') actionLog.messages.push(message);
}
