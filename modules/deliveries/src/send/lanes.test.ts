import { expect, test } from 'vitest';
import type { ClaimedDelivery } from '../queue/lease.ts';
import type { InFlightAttempt } from './lane.ts';
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
  isTest: false,
  body: '{}',
  registrationId: null,
  trace: null,
});
const deliveries = (count: number, endpointId: string, accountId?: string): ClaimedDelivery[] =>
  Array.from({ length: count }, () => delivery(endpointId, accountId));

const usable = (): boolean => true;

/** Starts all attempts that may start at this time. */
function startAll(lanes: Lanes, nowMs = 0): InFlightAttempt[] {
  const attempts: InFlightAttempt[] = [];
  for (;;) {
    const attempt = lanes.startNext(nowMs, usable);
    if (attempt === undefined) return attempts;
    attempts.push(attempt);
  }
}

const endpointsOf = (attempts: readonly InFlightAttempt[]): string[] =>
  attempts.map(({ lane }) => lane.endpointId);
const countOf = (attempts: readonly InFlightAttempt[], endpointId: string): number =>
  endpointsOf(attempts).filter((id) => id === endpointId).length;
const fast = { succeeded: true, durationMs: 10 };
const hung = { succeeded: false, durationMs: 10_000 };

test('endpoints take turns, even when many deliveries wait for one of them', () => {
  const lanes = createLanes({ concurrency: 100 });
  lanes.add([...deliveries(20, 'a'), ...deliveries(2, 'b'), ...deliveries(1, 'c')]);
  expect(endpointsOf(startAll(lanes)).slice(0, 5)).toEqual(['a', 'b', 'c', 'a', 'b']);
});

test('an endpoint without a history gets 8 attempts in flight', () => {
  const lanes = createLanes({ concurrency: 100 });
  lanes.add(deliveries(50, 'a'));
  const attempts = startAll(lanes);
  expect(attempts).toHaveLength(8);
  lanes.finish(attempts[0]!, undefined);
  expect(startAll(lanes)).toHaveLength(1);
});

test('an account gets no more than half of the slots, and other accounts get the other half', () => {
  const lanes = createLanes({ concurrency: 16 });
  lanes.add(['a', 'b', 'c', 'd'].flatMap((endpointId) => deliveries(8, endpointId, 'greedy')));
  const first = startAll(lanes);
  expect(first).toHaveLength(8);
  lanes.add(deliveries(8, 'e', 'modest'));
  expect(countOf(startAll(lanes), 'e')).toBe(8);
  // A lane of the account goes on when the account has a free slot.
  lanes.finish(first[0]!, fast);
  expect(startAll(lanes)).toHaveLength(1);
});

test('attempts that take longer than a second move to slow slots, and so does their lane', () => {
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

test('there are as many slow slots as fast ones, and an account gets half of them', () => {
  const lanes = createLanes({ concurrency: 8 });
  for (const [index, accountId] of ['x', 'y', 'z'].entries()) {
    lanes.add(deliveries(8, `hanging-${accountId}`, accountId));
    startAll(lanes, index * 2000);
    lanes.moveSlow(index * 2000 + 1500);
  }
  expect(lanes.inFlight().slow).toBe(8);
  expect(lanes.inFlight().fast).toBe(4);
});

test('an endpoint that hung gets one attempt at a time, and is fast again after a fast answer', () => {
  const lanes = createLanes({ concurrency: 64 });
  lanes.add(deliveries(40, 'a'));
  const attempts = startAll(lanes);
  lanes.moveSlow(1500);
  for (const attempt of attempts) lanes.finish(attempt, hung);
  const [probe, ...none] = startAll(lanes, 10_000);
  expect(none).toEqual([]);
  expect(probe!.pace).toBe('slow');
  lanes.finish(probe!, fast);
  const next = startAll(lanes, 10_010);
  expect(next.every((attempt) => attempt.pace === 'fast')).toBe(true);
  expect(next).toHaveLength(2);
});

test('nothing starts for a lane that rests, or that is refused, until it is resumed', () => {
  const lanes = createLanes({ concurrency: 64 });
  const [lane] = lanes.add([delivery('a')]);
  lanes.rest(lane!, 5000);
  expect(startAll(lanes, 4999)).toEqual([]);
  lanes.resume(lane!);
  expect(lanes.startNext(5000, () => false)).toBeUndefined();
  expect(startAll(lanes, 5000)).toEqual([]);
  lanes.resume(lane!);
  expect(startAll(lanes, 5000)).toHaveLength(1);
});

test('a scan leaves out an endpoint without capacity, and its backlog is claimed later from its own part of the queue', () => {
  const lanes = createLanes({ concurrency: 64 });
  lanes.add(deliveries(64, 'full'));
  lanes.add([delivery('modest')]);
  const [full, ...others] = lanes.leftOutOfScans(0).endpoints;
  expect([full!.endpointId, others]).toEqual(['full', []]);
  lanes.markBacklog(full!);
  expect(lanes.takeBacklogTurns(0)).toEqual([]);
  const attempts = startAll(lanes);
  while (!lanes.hasClaimableBacklog(0)) {
    lanes.finish(attempts.shift()!, undefined);
    attempts.push(...startAll(lanes));
  }
  const [part] = lanes.takeBacklogTurns(0);
  expect(part).toMatchObject({ endpointId: 'full', accountId: 'account' });
  lanes.recordBacklogClaim(part!, { until: 17, isDry: false });
  expect(lanes.takeBacklogTurns(0)).toMatchObject([{ since: 17 }]);
  lanes.restartBacklogs();
  expect(lanes.takeBacklogTurns(0)).toMatchObject([{ since: 0 }]);
  lanes.recordBacklogClaim(part!, { until: 17, isDry: true });
  expect(lanes.takeBacklogTurns(0)).toEqual([]);
  expect(lanes.leftOutOfScans(0).endpoints).toEqual([]);
});

test('queries change nothing: the same query twice has the same answer, and no backlog is marked', () => {
  const lanes = createLanes({ concurrency: 4 });
  lanes.add(deliveries(8, 'full'));
  expect(lanes.leftOutOfScans(0)).toEqual(lanes.leftOutOfScans(0));
  startAll(lanes);
  lanes.takeOut(() => true);
  expect(lanes.leftOutOfScans(0).endpoints).toEqual([]);
  expect(lanes.hasClaimableBacklog(0)).toBe(false);
});

test('a lane with nothing to do is not busy, except while it rests', () => {
  const lanes = createLanes({ concurrency: 4 });
  const [lane] = lanes.add([delivery('a')]);
  lanes.finish(startAll(lanes)[0]!, fast);
  lanes.rest(lane!, 5000);
  lanes.removeIdle(4999);
  expect(lanes.leftOutOfScans(4999).endpoints).toHaveLength(1);
  lanes.removeIdle(5000);
  expect(lanes.leftOutOfScans(4999).endpoints).toEqual([]);
});

test('when many endpoints have a backlog, each gets a few deliveries', () => {
  const lanes = createLanes({ concurrency: 64 });
  for (let index = 0; index < 1000; index += 1) lanes.markBacklog({ accountId: `${index}`, endpointId: 'e' });
  const parts = lanes.takeBacklogTurns(0);
  expect(parts).toHaveLength(32);
  expect(parts.every(({ count }) => count === 8)).toBe(true);
  // The next turn is for other endpoints.
  expect(lanes.takeBacklogTurns(0)[0]).not.toEqual(parts[0]);
});

test('scans leave out an account with four times the concurrency waiting, until half of its deliveries have started', () => {
  const lanes = createLanes({ concurrency: 4 });
  lanes.add(Array.from({ length: 16 }, (_, index) => delivery(`${index}`, 'greedy')));
  expect(lanes.leftOutOfScans(0).accounts).toEqual(['greedy']);
  expect(lanes.haveAccountsCapacity()).toBe(false);
  lanes.takeOut(({ endpointId }) => Number(endpointId) < 7);
  expect(lanes.leftOutOfScans(0).accounts).toEqual([]);
  expect(lanes.haveAccountsCapacity()).toBe(false);
  lanes.takeOut(({ endpointId }) => Number(endpointId) < 8);
  expect(lanes.haveAccountsCapacity()).toBe(true);
});

test('deliveries that are taken out of a lane free its capacity', () => {
  const lanes = createLanes({ concurrency: 4 });
  const before = lanes.capacity();
  const [lane] = lanes.add(deliveries(5, 'a'));
  const taken = lanes.takeOut((_delivery, _lane, place) => place >= 2);
  expect(taken).toHaveLength(3);
  expect(lane!.waiting).toHaveLength(2);
  expect(lanes.capacity()).toBe(before - 2);
});

test('two accounts never share a lane, even if one names the endpoint of the other', () => {
  const lanes = createLanes({ concurrency: 4 });
  expect(lanes.add([delivery('a', 'mine'), delivery('a', 'theirs')]).size).toBe(2);
});

test('a backlog gets a turn while there is any capacity, and none when there is no capacity', () => {
  const lanes = createLanes({ concurrency: 1 });
  for (let index = 0; index < 4; index += 1) lanes.add(deliveries(3, `${index}`, `${index}`));
  lanes.markBacklog({ accountId: 'late', endpointId: 'late' });
  for (; lanes.capacity() > 0; lanes.add([delivery('0', '0')])) {
    expect(lanes.hasClaimableBacklog(0)).toBe(true);
    expect(lanes.takeBacklogTurns(0)).not.toEqual([]);
  }
  expect(lanes.hasClaimableBacklog(0)).toBe(false);
});

test('in a lane first tries go before retries, each in the order they came', () => {
  const lanes = createLanes({ concurrency: 64 });
  const retry = (): ClaimedDelivery => ({ ...delivery('a'), attempts: 1 });
  const [first, second, third, fourth] = [retry(), delivery('a'), retry(), delivery('a')];
  lanes.add([first, second]);
  lanes.add([third, fourth]);
  expect(startAll(lanes).map((attempt) => attempt.delivery)).toEqual([second, fourth, first, third]);
});
