import { expect, test } from 'vitest';
import { lobbySeconds, planAttendee, shares, type Action, type Plan } from './behaviour.ts';
import { createProgramme, keyword } from '../programme.ts';
import { createRandom, seedOf } from '../random.ts';

const programme = createProgramme({ minutes: 60, speed: 1 });
const planOf = (index: number): Plan => planAttendee(createRandom(seedOf(1, index)), programme);
const plans = Array.from({ length: 20_000 }, (_, index) => planOf(index));
const present = plans.filter(({ stays }) => stays.length > 0);

const shareOf = (all: readonly Plan[], does: (plan: Plan) => boolean): number =>
  all.filter(does).length / all.length;

const isThere = (at: number, { stays }: Plan): boolean => stays.some(({ from, to }) => from <= at && at < to);

test('the same seed gives the same behaviour, and another attendee behaves differently', () => {
  expect(planOf(3)).toEqual(planOf(3));
  expect(new Set(plans.slice(0, 100).map(({ stays }) => stays[0]?.from)).size).toBeGreaterThan(60);
});

test('the shares of attendees who come, return, open a second tab and leave without a beacon are right', () => {
  expect(shareOf(plans, ({ stays }) => stays.length > 0)).toBeCloseTo(shares.comes, 1);
  const overlap = ({ stays }: Plan) =>
    stays.some((one) => stays.some((other) => one.from < other.from && other.from < one.to));
  expect(shareOf(present, overlap)).toBeCloseTo(shares.secondTab, 2);
  expect(shareOf(present, ({ stays }) => stays[0]!.ends === 'silence')).toBeCloseTo(shares.silent, 1);
  const returned = shareOf(present, (plan) => plan.stays.length > 1 && !overlap(plan));
  expect(returned).toBeGreaterThan(shares.returns * 0.6);
  expect(returned).toBeLessThan(shares.returns);
});

test('most attendees come from three minutes before to five minutes after the start, none sooner', () => {
  const arrivals = present.map(({ stays }) => stays[0]!.from);
  expect(Math.min(...arrivals)).toBeGreaterThanOrEqual(-lobbySeconds(programme));
  expect(lobbySeconds(programme)).toBeCloseTo(180, 6);
  expect(arrivals.filter((at) => at <= 300).length / arrivals.length).toBeCloseTo(1 - shares.arrivesLate, 1);
  expect(Math.max(...arrivals)).toBeLessThan(programme.seconds * 0.61);
});

test('the shares of present attendees who vote and click are right', () => {
  const voters = plans.filter((plan) => isThere(programme.pollAt, plan));
  expect(shareOf(voters, ({ actions }) => actions.some(({ type }) => type === 'vote'))).toBeCloseTo(
    shares.votes,
    1,
  );
  const clickers = plans.filter((plan) => isThere(programme.offerAt, plan));
  const clicks = ({ actions }: Plan) =>
    actions.some((action) => action.type === 'click' && action.on === 'offer');
  expect(shareOf(clickers, clicks)).toBeCloseTo(shares.clicksOffer, 1);
});

test('every action happens in an open page, after the interaction is shown, while the session runs', () => {
  const { pollAt, offerAt, ctaAt, handoutAt } = programme;
  const shownAt = { vote: pollAt, message: 0, offer: offerAt, cta: ctaAt, handout: handoutAt };
  const isWrong = (plan: Plan, action: Action): boolean =>
    !isThere(action.at, plan) ||
    action.at >= programme.seconds ||
    action.at <= shownAt[action.type === 'click' ? action.on : action.type];
  expect(plans.flatMap((plan) => plan.actions.filter((action) => isWrong(plan, action)))).toEqual([]);
});

test('an attendee sends one to four messages, and some ask for the price', () => {
  const texts = plans.flatMap(({ actions }) =>
    actions.flatMap((action) => (action.type === 'message' ? [action.text] : [])),
  );
  const asking = texts.filter((text) => text.toLowerCase().includes(keyword));
  expect(asking.length / texts.length).toBeCloseTo(shares.asksForThePrice, 1);
});

test('a short webinar has a short lobby, and a fast one an even shorter one', () => {
  expect(lobbySeconds(createProgramme({ minutes: 10, speed: 1 }))).toBeCloseTo(60, 6);
  expect(lobbySeconds(createProgramme({ minutes: 10, speed: 5 }))).toBeCloseTo(12, 6);
});
