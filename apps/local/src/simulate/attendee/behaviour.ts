// Plans the actions of one attendee. Times are seconds of real time since the start of the session, negative before it.
import { keyword, pollOptions, type Programme } from '../programme.ts';
import type { Random } from '../random.ts';
import type { ClickTarget } from './action-log.ts';

/** The time for which one page is open. Two at once are two tabs. */
export interface Stay {
  from: number;
  /** Infinity: until the end of the session. */
  to: number;
  /** The page sends a leave beacon, or just stops sending heartbeats. */
  ends: 'beacon' | 'silence';
  pauses: readonly Pause[];
}

interface Pause {
  from: number;
  to: number;
}

export type Action =
  | { type: 'click'; at: number; on: ClickTarget; times: 1 | 2; via: 'button' | 'link' }
  | { type: 'vote'; at: number; optionId: string; times: 1 | 2 }
  | { type: 'message'; at: number; text: string };

export interface Plan {
  /** Empty for a no-show. */
  stays: readonly Stay[];
  /** In the order of their times. */
  actions: readonly Action[];
}

export const shares = {
  comes: 0.7,
  arrivesLate: 0.12,
  staysToTheEnd: 0.45,
  leavesEarly: 0.3,
  silent: 0.1,
  returns: 0.05,
  secondTab: 0.02,
  pauses: 0.15,
  clicksOffer: 0.12,
  clicksCta: 0.08,
  downloads: 0.25,
  clicksTwice: 0.2,
  votes: 0.4,
  votesTwice: 0.1,
  chats: 0.15,
  asksForThePrice: 0.35,
} as const;

export function planAttendee(random: Random, programme: Programme): Plan {
  if (!random.chance(shares.comes)) return { stays: [], actions: [] };
  const stays = planStays(random, programme);
  const actions = planActions(random, programme, stays).filter((action) =>
    isFree(action.at, programme, stays),
  );
  return { stays, actions: actions.toSorted((one, other) => one.at - other.at) };
}

/** Seconds before the start at which the first attendees come. */
export const lobbySeconds = (programme: Programme): number => -arrivalBounds(programme).from;

// From three minutes before the start to five after it. Less for a short webinar, or the lobby would be most of it.
function arrivalBounds({ seconds, pace }: Programme): Pause {
  const minutes = seconds / pace / 60;
  const minute = 60 * pace * Math.min(1, minutes / 30);
  return { from: -3 * minute, to: 5 * minute };
}

function planStays(random: Random, programme: Programme): Stay[] {
  const from = arrivalOf(random, programme);
  const to = departureOf(random, programme, from);
  const whole: Stay = { from, to, ends: random.chance(shares.silent) ? 'silence' : 'beacon', pauses: [] };
  const until = Math.min(to, programme.seconds);
  const pages = random.chance(shares.returns) ? withReturn(random, programme, whole) : [whole];
  const paused = pages.map((stay) => ({ ...stay, pauses: planPauses(random, programme, stay) }));
  if (!random.chance(shares.secondTab)) return paused;
  const second = until - Math.max(from, 0) > 8 && secondTab(random, from, until);
  return second ? [...paused, second] : paused;
}

/** Most attendees come around the start, the others until the middle. The sum of two random numbers makes the middle likelier. */
function arrivalOf(random: Random, programme: Programme): number {
  const { from, to } = arrivalBounds(programme);
  if (random.chance(shares.arrivesLate)) return random.between(to, programme.seconds * 0.6);
  return from + ((to - from) * (random.next() + random.next())) / 2;
}

function departureOf(random: Random, { seconds }: Programme, from: number): number {
  if (random.chance(shares.staysToTheEnd)) return Number.POSITIVE_INFINITY;
  const begins = Math.max(from, 0);
  const part = random.chance(shares.leavesEarly) ? random.between(0, 0.2) : random.between(0.2, 1);
  return begins + 2 + (seconds - begins - 4) * part;
}

/** A page that is reloaded, or an attendee who comes back later. */
function withReturn(random: Random, { seconds, pace }: Programme, stay: Stay): Stay[] {
  const until = Math.min(stay.to, seconds);
  const leaves = random.between(Math.max(stay.from, 0) + 2, until);
  const away = pace * (random.chance(0.6) ? random.between(2, 10) : random.between(60, 240));
  if (leaves + away > until - 4) return [stay];
  return [
    { ...stay, to: leaves, ends: 'beacon' },
    { ...stay, from: leaves + away },
  ];
}

function secondTab(random: Random, from: number, until: number): Stay {
  const opens = random.between(Math.max(from, 0) + 2, until - 4);
  return { from: opens, to: random.between(opens + 2, until - 1), ends: 'beacon', pauses: [] };
}

function planPauses(random: Random, { seconds, pace }: Programme, { from, to }: Stay): Pause[] {
  if (!random.chance(shares.pauses)) return [];
  const pauseFrom = random.between(Math.max(from, 0) + 1, Math.min(to, seconds));
  const pauseTo = pauseFrom + pace * random.between(5, 90);
  return pauseTo < Math.min(to, seconds) - 1 ? [{ from: pauseFrom, to: pauseTo }] : [];
}

function planActions(random: Random, programme: Programme, stays: readonly Stay[]): Action[] {
  const { pace, pollAt, handoutAt, offerAt, ctaAt } = programme;
  const actions: Action[] = [];
  const times = (twice: number): 1 | 2 => (random.chance(twice) ? 2 : 1);
  const via = (): 'button' | 'link' => random.pick(['button', 'link'] as const);
  const after = (shownAt: number, to: number): number => shownAt + 1 + pace * random.between(2, to);
  if (isOpen(pollAt, stays) && random.chance(shares.votes)) {
    const { id } = random.pick(pollOptions);
    actions.push({ type: 'vote', at: after(pollAt, 40), optionId: id, times: times(shares.votesTwice) });
  }
  for (const [on, shownAt, share] of [
    ['offer', offerAt, shares.clicksOffer],
    ['cta', ctaAt, shares.clicksCta],
    ['handout', handoutAt, shares.downloads],
  ] as const) {
    if (!isOpen(shownAt, stays) || !random.chance(share)) continue;
    actions.push({ type: 'click', at: after(shownAt, 60), on, times: times(shares.clicksTwice), via: via() });
  }
  if (random.chance(shares.chats)) actions.push(...planMessages(random, programme, stays[0]!));
  return actions;
}

const questions = [
  'Hello from Lisbon!',
  'Could you show that once more?',
  'That is great.',
  'Will there be a recording?',
];
const priceQuestions = [`What is the ${keyword}?`, `Is the ${keyword.toUpperCase()} per seat?`];

function planMessages(random: Random, { seconds }: Programme, { from, to }: Stay): Action[] {
  const count = 1 + Math.floor(random.next() * 4);
  return Array.from({ length: count }, () => ({
    type: 'message' as const,
    at: random.between(Math.max(from, 0) + 2, Math.min(to, seconds)),
    text: random.pick(random.chance(shares.asksForThePrice) ? priceQuestions : questions),
  }));
}

const isOpen = (at: number, stays: readonly Stay[]): boolean =>
  stays.some(({ from, to }) => from <= at && at < to);

/** True when a page has been open for a moment and stays open for another moment. */
const isFree = (at: number, { seconds }: Programme, stays: readonly Stay[]): boolean =>
  at > 0.5 && at < seconds - 1 && stays.some(({ from, to }) => from + 1 < at && at + 0.5 < to);
