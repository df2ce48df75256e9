import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createConnectionGate } from './connection-gate.ts';
import { createAccountShare, threadLimits } from './account-share.ts';

const limits = { places: 4, accountMax: 2, waitMaxMs: 60_000, waitingMax: 3 };

/** Enters in the background and lists the admitted calls. */
function createVisits(gate: ReturnType<typeof createConnectionGate>) {
  const admitted: string[] = [];
  const leaveByName = new Map<string, () => void>();
  return {
    admitted,
    async enter(name: string) {
      const leave = await gate.enter(name[0]!);
      admitted.push(name);
      leaveByName.set(name, leave);
    },
    async leave(name: string) {
      leaveByName.get(name)!();
      await turn();
    },
  };
}

test('an account with all its places waits, and other accounts do not', async () => {
  const gate = createConnectionGate(limits);
  const { admitted, enter, leave } = createVisits(gate);
  for (const name of ['a1', 'a2', 'a3', 'b1']) void enter(name);
  await turn();
  expect(admitted).toEqual(['a1', 'a2', 'b1']);
  expect(gate.usage()).toEqual({ used: 3, waiting: 1 });
  await leave('a1');
  expect(admitted).toEqual(['a1', 'a2', 'b1', 'a3']);
  expect(gate.usage()).toEqual({ used: 3, waiting: 0 });
});

test('waiting accounts take turns, and the calls of one account keep their order', async () => {
  const gate = createConnectionGate(limits);
  const { admitted, enter, leave } = createVisits(gate);
  for (const name of ['x1', 'x2', 'y1', 'y2', 'a1', 'a2', 'a3', 'b1', 'c1']) void enter(name);
  await turn();
  admitted.length = 0;
  for (const name of ['x1', 'x2', 'y1', 'y2']) await leave(name);
  expect(admitted).toEqual(['a1', 'b1', 'c1', 'a2']);
  await leave('b1');
  expect(admitted).toHaveLength(4);
  await leave('a1');
  expect(admitted.at(-1)).toBe('a3');
});

test('a call that waits too long, or that arrives while too many calls wait, is refused with the time of a retry', async () => {
  const gate = createConnectionGate({ ...limits, waitMaxMs: 20 });
  const { enter, leave } = createVisits(gate);
  for (const name of ['a1', 'a2']) await enter(name);
  const waiting = ['a3', 'a4', 'a5'].map(enter);
  await expect(enter('a6')).rejects.toMatchObject({ code: 'service_busy', retryAfterSeconds: 1 });
  const outcomes = await Promise.allSettled(waiting);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(gate.usage()).toEqual({ used: 2, waiting: 0 });
  await leave('a1');
  await enter('a7');
  expect(gate.usage()).toEqual({ used: 2, waiting: 0 });
});

test('a place is given back once, also when its function is called again', async () => {
  const gate = createConnectionGate(limits);
  const leave = await gate.enter('a');
  await gate.enter('a');
  leave();
  leave();
  expect(gate.usage()).toEqual({ used: 1, waiting: 0 });
});

test('a call is admitted when the rest of its account ends, also if it ends while the call arrives', async () => {
  // Each reading of the clock is a little later: the first says that the account rests, the second that it does not.
  let nowMs = 0;
  const share = createAccountShare(threadLimits, { readMs: () => (nowMs += 0.1) });
  const gate = createConnectionGate({ ...limits, shares: [share] });
  share.charge('others', 60_000);
  share.charge('a', threadLimits.burstMs + 2000 * threadLimits.least);
  nowMs = 2000.15;
  (await gate.enter('a'))();
  expect(gate.usage()).toEqual({ used: 0, waiting: 0 });
});

test('a call is admitted when the rest of its account ends, while another account still rests', async () => {
  const share = createAccountShare(threadLimits);
  const gate = createConnectionGate({ ...limits, shares: [share] });
  share.charge('b', 60_000);
  share.charge('a', threadLimits.burstMs + 1000 * threadLimits.least);
  void gate.enter('b');
  await gate.enter('a');
  expect(gate.usage()).toEqual({ used: 1, waiting: 1 });
});
