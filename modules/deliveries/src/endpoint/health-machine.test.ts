import { expect, test } from 'vitest';
import { afterAttempts, afterRelease, probeWaitSeconds } from './health-machine.ts';
import type { AttemptReport, Health } from './health-machine.ts';

const now = new Date('2026-12-01T12:00:00Z');
const in1Minute = new Date('2026-12-01T12:01:00Z');
const minutesAgo = (minutes: number): Date => new Date(now.getTime() - minutes * 60_000);

const failing = (failures: number, minutes: number): Health => ({
  state: 'failing',
  failures,
  since: minutesAgo(minutes),
  probeAt: null,
  probes: 0,
  drainRate: 0,
  lastFailure: 'timeout',
  lastResponseCode: null,
  isUntried: false,
});
const paused: Health = { ...failing(20, 6), state: 'paused', probeAt: in1Minute, probes: 3 };
const draining = (failures: number): Health => ({
  ...failing(failures, 60),
  state: 'draining',
  probeAt: now,
  drainRate: 64,
});

const halted = (failures: number): Health => ({ ...failing(failures, 60), state: 'halted' });

const attempts = (report: Partial<AttemptReport>): AttemptReport => ({
  succeeded: false,
  failures: 0,
  isGone: false,
  lastFailure: null,
  lastResponseCode: null,
  ...report,
});
const fail = (failures: number): AttemptReport =>
  attempts({ failures, lastFailure: 'http_status', lastResponseCode: 500 });
const gone = attempts({ failures: 1, isGone: true, lastFailure: 'http_status', lastResponseCode: 410 });
const succeed = attempts({ succeeded: true });
const last500 = { lastFailure: 'http_status', lastResponseCode: 500 };

type Row = [
  title: string,
  before: Health | undefined,
  report: AttemptReport,
  after: object | undefined,
  notices: string[],
];

test.each<Row>([
  ['halted stays halted after a success', halted(4), succeed, { state: 'halted', failures: 0 }, []],
  [
    'halted stays halted after failures',
    halted(0),
    fail(40),
    { state: 'halted', failures: 40, since: now },
    [],
  ],
  [
    'halted stays halted after a 410',
    halted(2),
    gone,
    { state: 'halted', failures: 3, since: minutesAgo(60) },
    [],
  ],
  ['healthy stays healthy after a success', undefined, succeed, undefined, []],
  [
    'healthy becomes failing after one failure',
    undefined,
    fail(1),
    { state: 'failing', failures: 1, since: now, probeAt: null, ...last500 },
    [],
  ],
  [
    'healthy becomes failing after many failures at one moment',
    undefined,
    fail(40),
    { state: 'failing', failures: 40 },
    [],
  ],
  [
    'healthy is paused by a 410',
    undefined,
    gone,
    { state: 'paused', failures: 1, since: now, probeAt: in1Minute, lastResponseCode: 410 },
    ['paused'],
  ],
  ['failing becomes healthy after a success', failing(19, 6), succeed, undefined, []],
  [
    'failing that succeeds and fails again starts a new row of failures',
    failing(19, 6),
    { ...fail(2), succeeded: true },
    { state: 'failing', failures: 2, since: now },
    [],
  ],
  [
    'failing stays failing below 20 failures',
    failing(18, 60),
    fail(1),
    { state: 'failing', failures: 19 },
    [],
  ],
  [
    'failing stays failing within 5 minutes',
    failing(500, 4.99),
    fail(1),
    { state: 'failing', failures: 501 },
    [],
  ],
  [
    'failing is paused by the 20th failure after 5 minutes',
    failing(19, 5),
    fail(1),
    { state: 'paused', failures: 20, since: minutesAgo(5), probeAt: in1Minute, probes: 0, ...last500 },
    ['paused'],
  ],
  [
    'failing is paused by a 410',
    failing(1, 0),
    gone,
    { state: 'paused', failures: 2, probeAt: in1Minute },
    ['paused'],
  ],
  [
    'paused stays paused after a failed probe and keeps the time of its next probe',
    { ...paused, probeAt: minutesAgo(-60) },
    fail(1),
    { state: 'paused', failures: 21, probeAt: minutesAgo(-60), probes: 3, ...last500 },
    [],
  ],
  ['paused stays paused after a 410', paused, gone, { state: 'paused', probeAt: in1Minute, probes: 3 }, []],
  [
    'paused begins to drain after a successful probe',
    paused,
    succeed,
    { state: 'draining', failures: 0, probes: 0, probeAt: now, drainRate: 16 },
    ['recovered'],
  ],
  [
    'paused that succeeds and fails five times is paused again',
    paused,
    { ...fail(5), succeeded: true },
    { state: 'paused', failures: 5, probes: 0, probeAt: in1Minute },
    ['recovered', 'paused'],
  ],
  ['draining keeps its rate after a success', draining(4), succeed, { ...draining(0) }, []],
  [
    'draining goes on below 5 failures',
    draining(3),
    fail(1),
    { state: 'draining', failures: 4, probeAt: now, drainRate: 64 },
    [],
  ],
  [
    'draining is paused by the 5th failure',
    draining(4),
    fail(1),
    { state: 'paused', failures: 5, probeAt: in1Minute },
    ['paused'],
  ],
  ['draining is paused by a 410', draining(0), gone, { state: 'paused', probeAt: in1Minute }, ['paused']],
])('%s', (...[, before, report, after, notices]) => {
  const change = afterAttempts(before, report, now);
  if (after === undefined) expect(change.health).toBeUndefined();
  else expect(change.health).toMatchObject(after);
  expect(change.notices).toEqual(notices);
});

test('probes of a paused endpoint come after 1 minute, then twice as long each time up to an hour', () => {
  expect([0, 1, 2, 3, 4, 5, 6, 7, 100].map(probeWaitSeconds)).toEqual([
    60, 120, 240, 480, 960, 1920, 3600, 3600, 3600,
  ]);
});

test('a draining endpoint is released 16, 32, 64 and so on up to 4,096 deliveries, a second apart', () => {
  let health: Health | undefined = { ...draining(0), drainRate: 16 };
  const rates: number[] = [];
  for (let step = 0; step < 10; step += 1) {
    health = afterRelease(health!, health!.drainRate, now);
    rates.push(health!.drainRate);
    expect(health!.probeAt).toEqual(new Date(now.getTime() + 1000));
  }
  expect(rates).toEqual([32, 64, 128, 256, 512, 1024, 2048, 4096, 4096, 4096]);
});

test('a draining endpoint is checked once more after its last release, and is healthy when nothing was parked', () => {
  expect(afterRelease(draining(0), 63, now)).toMatchObject({
    state: 'draining',
    probeAt: new Date(now.getTime() + 3000),
  });
  expect(afterRelease(draining(0), 0, now)).toBeUndefined();
});

test('an endpoint that is not tried since its URL changed stays so when its drain ends, until an attempt', () => {
  const untried = afterRelease({ ...draining(0), isUntried: true }, 0, now);
  expect(untried).toMatchObject({ state: 'failing', failures: 0, isUntried: true });
  expect(afterAttempts(untried, fail(1), now).health).toMatchObject({ failures: 1, isUntried: false });
  expect(afterAttempts({ ...draining(0), isUntried: true }, succeed, now).health!.isUntried).toBe(false);
});
