import { expect, test } from 'vitest';
import type { ClaimedDelivery } from './claim.ts';
import type { Flight } from './lane.ts';
import { createLanes, type Lanes } from './lanes.ts';

let made = 0;
const delivery = (endpointId: string, accountId = 'account'): ClaimedDelivery => ({
  deliveryId: `${(made += 1)}`,
  accountId,
  endpointId,
  attempts: 0,
  tries: 0,
  dueAtSeconds: 0,
  queuedMs: 0,
  claim: 'claim',
  claimedAt: 0,
  isProbe: false,
  body: '{}',
});
const deliveries = (count: number, endpointId: string, accountId?: string): ClaimedDelivery[] =>
  Array.from({ length: count }, () => delivery(endpointId, accountId));

const usable = (): boolean => true;

/** Starts all that may start at this moment. */
function startAll(lanes: Lanes, nowMs = 0): Flight[] {
  const flights: Flight[] = [];
  for (let flight = lanes.next(nowMs, usable); flight !== undefined; flight = lanes.next(nowMs, usable))
    flights.push(flight);
  return flights;
}

const endpointsOf = (flights: readonly Flight[]): string[] => flights.map(({ lane }) => lane.endpointId);
const countOf = (flights: readonly Flight[], endpointId: string): number =>
  endpointsOf(flights).filter((id) => id === endpointId).length;
const fast = { succeeded: true, durationMs: 10 };
const hung = { succeeded: false, durationMs: 10_000 };

test('endpoints take turns, however many wait for one of them', () => {
  const lanes = createLanes({ concurrency: 100 });
  lanes.add([...deliveries(20, 'a'), ...deliveries(2, 'b'), ...deliveries(1, 'c')]);
  expect(endpointsOf(startAll(lanes)).slice(0, 5)).toEqual(['a', 'b', 'c', 'a', 'b']);
});

test('an endpoint nobody knows yet gets 8 at once', () => {
  const lanes = createLanes({ concurrency: 100 });
  lanes.add(deliveries(50, 'a'));
  const flights = startAll(lanes);
  expect(flights).toHaveLength(8);
  lanes.finish(flights[0]!, undefined);
  expect(startAll(lanes)).toHaveLength(1);
});

test('an account gets no more than half of the places, and the other half is there for others', () => {
  const lanes = createLanes({ concurrency: 16 });
  lanes.add(['a', 'b', 'c', 'd'].flatMap((endpointId) => deliveries(8, endpointId, 'greedy')));
  const first = startAll(lanes);
  expect(first).toHaveLength(8);
  lanes.add(deliveries(8, 'e', 'modest'));
  expect(countOf(startAll(lanes), 'e')).toBe(8);
  // What was held back goes on when the account has a place again.
  lanes.finish(first[0]!, fast);
  expect(startAll(lanes)).toHaveLength(1);
});

test('attempts that take longer than a second give their places back and their endpoint waits on the slow lane', () => {
  const lanes = createLanes({ concurrency: 16 });
  lanes.add(deliveries(20, 'hanging'));
  expect(startAll(lanes)).toHaveLength(8);
  lanes.moveSlow(900);
  expect(lanes.inFlight()).toEqual({ fast: 8, slow: 0 });
  lanes.moveSlow(1100);
  expect(lanes.inFlight()).toEqual({ fast: 0, slow: 8 });
  lanes.add(deliveries(8, 'healthy'));
  const later = startAll(lanes, 1200);
  expect(countOf(later, 'healthy')).toBe(8);
  expect(countOf(later, 'hanging')).toBe(0);
});

test('the slow lane has no more places than the fast one, and an account half of them', () => {
  const lanes = createLanes({ concurrency: 8 });
  for (const [index, accountId] of ['x', 'y', 'z'].entries()) {
    lanes.add(deliveries(8, `hanging-${accountId}`, accountId));
    startAll(lanes, index * 2000);
    lanes.moveSlow(index * 2000 + 1500);
  }
  expect(lanes.inFlight().slow).toBe(8);
  expect(lanes.inFlight().fast).toBe(4);
});

test('an endpoint that hung gets one at a time, and is fast again once it answers fast', () => {
  const lanes = createLanes({ concurrency: 64 });
  lanes.add(deliveries(40, 'a'));
  const flights = startAll(lanes);
  lanes.moveSlow(1500);
  for (const flight of flights) lanes.finish(flight, hung);
  const [probe, ...none] = startAll(lanes, 10_000);
  expect(none).toEqual([]);
  expect(probe!.pace).toBe('slow');
  lanes.finish(probe!, fast);
  const next = startAll(lanes, 10_010);
  expect(next.every((flight) => flight.pace === 'fast')).toBe(true);
  expect(next).toHaveLength(2);
});

test('nothing starts for an endpoint that rests, or that is refused until it is resumed', () => {
  const lanes = createLanes({ concurrency: 64 });
  const [lane] = lanes.add([delivery('a')]);
  lanes.rest(lane!, 5000);
  expect(startAll(lanes, 4999)).toEqual([]);
  lanes.resume(lane!);
  expect(lanes.next(5000, () => false)).toBeUndefined();
  expect(startAll(lanes, 5000)).toEqual([]);
  lanes.resume(lane!);
  expect(startAll(lanes, 5000)).toHaveLength(1);
});

test('a look at the queue leaves out who has all it may hold, and serves it from its own part later', () => {
  const lanes = createLanes({ concurrency: 64 });
  lanes.add(deliveries(64, 'full'));
  lanes.add([delivery('modest')]);
  expect(lanes.full(0)).toEqual({ endpoints: ['full'], accounts: [] });
  expect(lanes.hungry(0)).toEqual([]);
  const flights = startAll(lanes);
  while (lanes.hungry(0).length === 0) {
    lanes.finish(flights.shift()!, undefined);
    flights.push(...startAll(lanes));
  }
  const [hungry] = lanes.hungry(0);
  expect(hungry).toMatchObject({ endpointId: 'full', accountId: 'account' });
  lanes.noteServed(hungry!, { until: 17, isDry: false });
  expect(lanes.hungry(0)).toMatchObject([{ since: 17 }]);
  lanes.serveAnew();
  expect(lanes.hungry(0)).toMatchObject([{ since: 0 }]);
  lanes.noteServed(hungry!, { until: 17, isDry: true });
  expect(lanes.hungry(0)).toEqual([]);
  expect(lanes.full(0).endpoints).toEqual([]);
});

test('when many want more, each gets a few', () => {
  const lanes = createLanes({ concurrency: 64 });
  for (let index = 0; index < 1000; index += 1) lanes.noteMore({ accountId: `${index}`, endpointId: 'e' });
  const hungry = lanes.hungry(0);
  expect(hungry).toHaveLength(32);
  expect(hungry.every(({ room }) => room === 8)).toBe(true);
  // Others come next time.
  expect(lanes.hungry(0)[0]).not.toEqual(hungry[0]);
});

test('an account that holds four times the concurrency is left out as a whole, until half of it has gone', () => {
  const lanes = createLanes({ concurrency: 4 });
  lanes.add(Array.from({ length: 16 }, (_, index) => delivery(`${index}`, 'greedy')));
  expect(lanes.full(0).accounts).toEqual(['greedy']);
  expect(lanes.haveAccountsRoom()).toBe(false);
  lanes.takeOut(({ endpointId }) => Number(endpointId) < 7);
  expect(lanes.full(0).accounts).toEqual([]);
  expect(lanes.haveAccountsRoom()).toBe(false);
  lanes.takeOut(({ endpointId }) => Number(endpointId) < 8);
  expect(lanes.haveAccountsRoom()).toBe(true);
});

test('what is taken out of a lane is held no more', () => {
  const lanes = createLanes({ concurrency: 4 });
  const before = lanes.room();
  const [lane] = lanes.add(deliveries(5, 'a'));
  const taken = lanes.takeOut((_delivery, _lane, place) => place >= 2);
  expect(taken).toHaveLength(3);
  expect(lane!.waiting).toHaveLength(2);
  expect(lanes.room()).toBe(before - 2);
});

test('two accounts never share a lane, even if one names the endpoint of the other', () => {
  const lanes = createLanes({ concurrency: 4 });
  expect(lanes.add([delivery('a', 'mine'), delivery('a', 'theirs')]).size).toBe(2);
});

test('whoever is hungry gets something, however little room there is', () => {
  const lanes = createLanes({ concurrency: 1 });
  for (let index = 0; index < 4; index += 1) lanes.add(deliveries(3, `${index}`, `${index}`));
  lanes.noteMore({ accountId: 'late', endpointId: 'late' });
  for (; lanes.room() > 0; lanes.add([delivery('0', '0')])) {
    expect(lanes.isAnyHungry(0)).toBe(true);
    expect(lanes.hungry(0)).not.toEqual([]);
  }
});

test('in a lane first tries go before retries, each in the order they came', () => {
  const lanes = createLanes({ concurrency: 64 });
  const retry = (): ClaimedDelivery => ({ ...delivery('a'), attempts: 1 });
  const [first, second, third, fourth] = [retry(), delivery('a'), retry(), delivery('a')];
  lanes.add([first, second]);
  lanes.add([third, fourth]);
  expect(startAll(lanes).map((flight) => flight.delivery)).toEqual([second, fourth, first, third]);
});
