import { expect, test } from 'vitest';
import { lobbySeconds, planAttendee, shares, type Act, type Plan } from './behaviour.ts';
import { createProgramme, keyword } from '../programme.ts';
import { createRandom, seedOf } from '../random.ts';

const programme = createProgramme({ minutes: 60, speed: 1 });
const planOf = (index: number): Plan => planAttendee(createRandom(seedOf(1, index)), programme);
const plans = Array.from({ length: 20_000 }, (_, index) => planOf(index));
const present = plans.filter(({ stays }) => stays.length > 0);

const shareOf = (all: readonly Plan[], does: (plan: Plan) => boolean): number =>
  all.filter(does).length / all.length;

const isThere = (at: number, { stays }: Plan): boolean => stays.some(({ from, to }) => from <= at && at < to);

test('the same seed is the same behaviour, and another attendee behaves otherwise', () => {
  expect(planOf(3)).toEqual(planOf(3));
  expect(new Set(plans.slice(0, 100).map(({ stays }) => stays[0]?.from)).size).toBeGreaterThan(60);
});

test('as many come, return, open a second tab and vanish without a word as it says', () => {
  expect(shareOf(plans, ({ stays }) => stays.length > 0)).toBeCloseTo(shares.comes, 1);
  const overlap = ({ stays }: Plan) =>
    stays.some((one) => stays.some((other) => one.from < other.from && other.from < one.to));
  expect(shareOf(present, overlap)).toBeCloseTo(shares.secondTab, 2);
  expect(shareOf(present, ({ stays }) => stays[0]!.ends === 'silence')).toBeCloseTo(shares.silent, 1);
  const returned = shareOf(present, (plan) => plan.stays.length > 1 && !overlap(plan));
  expect(returned).toBeGreaterThan(shares.returns * 0.6);
  expect(returned).toBeLessThan(shares.returns);
});

test('most come from three minutes before to five minutes after the start, nobody sooner', () => {
  const arrivals = present.map(({ stays }) => stays[0]!.from);
  expect(Math.min(...arrivals)).toBeGreaterThanOrEqual(-lobbySeconds(programme));
  expect(lobbySeconds(programme)).toBeCloseTo(180, 6);
  expect(arrivals.filter((at) => at <= 300).length / arrivals.length).toBeCloseTo(1 - shares.arrivesLate, 1);
  expect(Math.max(...arrivals)).toBeLessThan(programme.seconds * 0.61);
});

test('of those who are there when it is shown, as many vote and click as it says', () => {
  const voters = plans.filter((plan) => isThere(programme.pollAt, plan));
  expect(shareOf(voters, ({ acts }) => acts.some(({ type }) => type === 'vote'))).toBeCloseTo(
    shares.votes,
    1,
  );
  const clickers = plans.filter((plan) => isThere(programme.offerAt, plan));
  const clicks = ({ acts }: Plan) => acts.some((act) => act.type === 'click' && act.on === 'offer');
  expect(shareOf(clickers, clicks)).toBeCloseTo(shares.clicksOffer, 1);
});

test('everything is done in a page that is open, after it was shown, while the session runs', () => {
  const shownAt = { vote: programme.pollAt, message: 0, offer: programme.offerAt, cta: programme.ctaAt };
  const isWrong = (plan: Plan, act: Act): boolean =>
    !isThere(act.at, plan) ||
    act.at >= programme.seconds ||
    act.at <= shownAt[act.type === 'click' ? act.on : act.type];
  expect(plans.flatMap((plan) => plan.acts.filter((act) => isWrong(plan, act)))).toEqual([]);
});

test('one to four messages, some of which ask for the price', () => {
  const texts = plans.flatMap(({ acts }) =>
    acts.flatMap((act) => (act.type === 'message' ? [act.text] : [])),
  );
  const asking = texts.filter((text) => text.toLowerCase().includes(keyword));
  expect(asking.length / texts.length).toBeCloseTo(shares.asksForThePrice, 1);
});

test('a short webinar has a short lobby, and a fast one an even shorter', () => {
  expect(lobbySeconds(createProgramme({ minutes: 10, speed: 1 }))).toBeCloseTo(60, 6);
  expect(lobbySeconds(createProgramme({ minutes: 10, speed: 5 }))).toBeCloseTo(12, 6);
});
