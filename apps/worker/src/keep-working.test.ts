import { expect, onTestFinished, test, vi } from 'vitest';
import { keepWorking } from './keep-working.ts';

type Problem = Awaited<ReturnType<Parameters<typeof keepWorking>[0]['findProblem']>>;

const pending: Problem = { status: 'migrations pending', pending: ['1'] };

interface Options {
  /** The failures of the next calls. */
  starts?: Error[];
  stops?: Error[];
  startsAfter?: Promise<void>;
}

/** Checks each millisecond. */
function keep(findProblem: () => Promise<Problem>, { starts = [], stops = [], startsAfter }: Options = {}) {
  const counts = { started: 0, stopped: 0 };
  const attempt = (failures: Error[]): void => {
    const failure = failures.shift();
    if (failure) throw failure;
  };
  const logged: string[] = [];
  const kept = keepWorking({
    findProblem,
    async start() {
      counts.started += 1;
      await startsAfter;
      attempt(starts);
      return {
        ended: new Promise<void>(() => undefined),
        async stop() {
          counts.stopped += 1;
          attempt(stops);
        },
      };
    },
    log: {
      info: () => undefined,
      warn: () => undefined,
      error: ({ err }: { err: Error }) => void logged.push(err.message),
    } as never,
    everyMs: 1,
  });
  return { kept, counts, logged };
}

test('work that failed to stop, and then to start, is started again when the problem is gone', async () => {
  let problem: Problem;
  const starts: Error[] = [];
  const { kept, counts, logged } = keep(async () => problem, { starts, stops: [new Error('no stop')] });
  await kept.start();
  onTestFinished(() => kept.stop());
  problem = pending;
  await vi.waitFor(() => expect(logged).toEqual(['no stop']));
  expect(kept.current()).toBeUndefined();
  starts.push(new Error('no start'));
  problem = undefined;
  await vi.waitFor(() => expect(kept.current()).toBeDefined());
  expect(logged).toEqual(['no stop', 'no start']);
  expect(counts).toEqual({ started: 3, stopped: 1 });
});

test('a stop does not wait for a check of the schema before it stops work, and no work is started afterwards', async () => {
  const checks: PromiseWithResolvers<Problem>[] = [];
  const { kept, counts } = keep(async () => {
    const check = Promise.withResolvers<Problem>();
    if (checks.push(check) === 1) check.resolve(undefined);
    return check.promise;
  });
  await kept.start();
  await vi.waitFor(() => expect(checks).toHaveLength(2));
  const stopping = kept.stop();
  await vi.waitFor(() => expect(counts.stopped).toBe(1));
  checks[1]!.resolve(undefined);
  await stopping;
  expect(counts).toEqual({ started: 1, stopped: 1 });
});

test('work that a check is starting during a stop is stopped too', async () => {
  let problem: Problem = pending;
  const starting = Promise.withResolvers<void>();
  const { kept, counts } = keep(async () => problem, { startsAfter: starting.promise });
  await kept.start();
  problem = undefined;
  await vi.waitFor(() => expect(counts.started).toBe(1));
  const stopping = kept.stop();
  starting.resolve();
  await stopping;
  expect(counts).toEqual({ started: 1, stopped: 1 });
});
