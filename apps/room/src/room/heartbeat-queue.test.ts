import { expect, test } from 'vitest';
import { createHeartbeatQueue, type Beat, type NumberedBeat, type SendOutcome } from './heartbeat-queue.ts';

const beatAt = (seconds: number): Beat => ({
  playheadSeconds: seconds,
  intervals: [[seconds - 10, seconds]],
  state: 'playing',
  visible: true,
});

const answered = { type: 'answered' } as SendOutcome;

/** A page with a clock of its own, and a network that can be away. */
function createPage() {
  let nowMs = 0;
  let isOnline = true;
  let next: SendOutcome | undefined;
  const arrived: NumberedBeat[] = [];
  const outcomes: SendOutcome['type'][] = [];
  const timers: { atMs: number; callback: () => void }[] = [];
  const queue = createHeartbeatQueue({
    visitId: 'visit',
    async send(beat) {
      if (!isOnline) return { type: 'unreachable' };
      arrived.push(beat);
      return next ?? answered;
    },
    onOutcome: ({ type }) => outcomes.push(type),
    nowMs: () => nowMs,
    schedule: (callback, delayMs) => timers.push({ atMs: nowMs + delayMs, callback }),
    random: () => 0.5,
  });
  return {
    queue,
    arrived,
    outcomes,
    setOnline: (value: boolean) => (isOnline = value),
    setAnswer: (value: SendOutcome) => (next = value),
    async passTo(seconds: number) {
      for (; nowMs < seconds * 1000; nowMs += 100) {
        for (const timer of timers.filter(({ atMs }) => atMs <= nowMs)) {
          timers.splice(timers.indexOf(timer), 1);
          timer.callback();
        }
        if (nowMs > 0 && nowMs % 10_000 === 0) queue.add(beatAt(nowMs / 1000));
        for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
      }
      for (let turn = 0; turn < 200; turn += 1) await Promise.resolve();
    },
  };
}

test('what waited for thirty seconds without a network arrives as one heartbeat, which the service credits in full', async () => {
  const page = createPage();
  await page.passTo(25);
  page.setOnline(false);
  await page.passTo(55);
  page.setOnline(true);
  page.queue.retry();
  await page.passTo(81);
  expect(page.arrived.map(({ seq, intervals }) => [seq, intervals])).toEqual([
    [1, [[0, 10]]],
    [2, [[10, 20]]],
    [
      5,
      [
        [20, 30],
        [30, 40],
        [40, 50],
      ],
    ],
    [6, [[50, 60]]],
    [7, [[60, 70]]],
    [8, [[70, 80]]],
  ]);
});

test('after five minutes without a network only the last ninety seconds are sent', async () => {
  const page = createPage();
  page.setOnline(false);
  await page.passTo(300.5);
  page.setOnline(true);
  page.queue.retry();
  await page.passTo(301);
  expect(page.arrived.map(({ intervals }) => [intervals[0], intervals.at(-1)])).toEqual([
    [
      [210, 220],
      [290, 300],
    ],
  ]);
});

test('the heartbeat with which a segment ended is not joined with later ones', async () => {
  const page = createPage();
  page.setOnline(false);
  const inSegment = (segmentId: string, seconds: number): Beat => ({ ...beatAt(seconds), segmentId });
  page.queue.add(inSegment('intro', 10));
  page.queue.add({ ...inSegment('intro', 20), state: 'ended' });
  page.queue.add(inSegment('intro', 20));
  page.queue.add(inSegment('end', 10));
  page.setOnline(true);
  page.queue.retry();
  await page.passTo(1);
  expect(page.arrived.map(({ seq, segmentId, state }) => [seq, segmentId, state])).toEqual([
    [2, 'intro', 'ended'],
    [3, 'intro', 'playing'],
    [4, 'end', 'playing'],
  ]);
});

test('the beacon has what still waits, and nothing is sent after it', async () => {
  const page = createPage();
  await page.passTo(15);
  page.setOnline(false);
  await page.passTo(35);
  const beacons = page.queue.close({ ...beatAt(37), intervals: [[30, 37]] });
  expect(beacons).toMatchObject([
    {
      seq: 4,
      intervals: [
        [10, 20],
        [20, 30],
        [30, 37],
      ],
    },
  ]);
  page.setOnline(true);
  await page.passTo(80);
  expect(page.arrived.map(({ seq }) => seq)).toEqual([1]);
});

test('the end of a segment that waits when the page closes has a beacon of its own', () => {
  const page = createPage();
  page.setOnline(false);
  const inSegment = (segmentId: string, seconds: number): Beat => ({ ...beatAt(seconds), segmentId });
  page.queue.add(inSegment('intro', 10));
  page.queue.add({ ...inSegment('intro', 20), state: 'ended' });
  page.queue.add(inSegment('end', 10));
  const beacons = page.queue.close(inSegment('end', 17));
  expect(beacons.map(({ seq, segmentId, state, intervals }) => [seq, segmentId, state, intervals])).toEqual([
    [
      2,
      'intro',
      'ended',
      [
        [0, 10],
        [10, 20],
      ],
    ],
    [
      4,
      'end',
      'playing',
      [
        [0, 10],
        [7, 17],
      ],
    ],
  ]);
});

test('a timer that fires a fraction of a millisecond early ends the wait, one of an earlier wait does not', async () => {
  const waits: { callback: () => void; delayMs: number }[] = [];
  let nowMs = 0;
  let sent = 0;
  const queue = createHeartbeatQueue({
    visitId: 'visit',
    async send() {
      sent += 1;
      return { type: 'unreachable' };
    },
    onOutcome: () => undefined,
    nowMs: () => nowMs,
    schedule: (callback, delayMs) => waits.push({ callback, delayMs }),
    random: () => 0.3333,
  });
  const settle = () => new Promise((resolve) => void setImmediate(resolve));
  queue.add(beatAt(10));
  await settle();
  nowMs = Math.floor(waits[0]!.delayMs);
  waits[0]!.callback();
  await settle();
  expect(sent).toBe(2);
  waits[0]!.callback();
  await settle();
  expect(sent).toBe(2);
});

test('a refused heartbeat is not repeated, and a lost visit ends the queue', async () => {
  const page = createPage();
  page.setAnswer({ type: 'refused' });
  await page.passTo(21);
  expect(page.arrived.map(({ seq }) => seq)).toEqual([1, 2]);
  page.setAnswer({ type: 'lost' });
  await page.passTo(60);
  expect(page.arrived.map(({ seq }) => seq)).toEqual([1, 2, 3]);
  expect(page.outcomes).toEqual(['refused', 'refused', 'lost']);
});
