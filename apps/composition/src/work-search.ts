// One statement asks for all work of a worker whether a round of it may find something, together with the database's time. Without it an
// idle worker would send 50 statements a second.
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { createFailureFilter } from '@service/background';
import {
  column,
  readClock,
  readClockWith,
  statement,
  type ClockReading,
  type Database,
  type Statement,
} from '@service/database';
import type { Log } from '@service/log';
import { workConditions } from './modules.ts';

export interface WorkReading extends ClockReading {
  /** False if a round of the work would find nothing. True at least once a minute, and for work without a condition. */
  mayFind(work: string): boolean;
}

export interface WorkSearch {
  /** Reads the database's time and the conditions of all work. Calls of one turn of the event loop share a statement. */
  read(): Promise<WorkReading>;
  mayFind(work: string): Promise<boolean>;
}

/** A lock on one table must not stop the other work. After this time all work runs as if it had no condition. */
const answerMaxMs = 1000;
const roundEveryMs = 60_000;
/** Works have their rounds of each minute at different seconds. */
const spreadMs = (work: number): number => (work * 3000) % roundEveryMs;

export function createWorkSearch(pool: Database['pool'], log: Log): WorkSearch {
  const failures = createFailureFilter((error) =>
    log.error({ err: error }, 'The search for work has no answer, so all work has its rounds'),
  );
  const foundAtMs = new Map<string, number>();
  let gathered: Promise<WorkReading> | undefined;
  /** The next statement is only about `frequent`. */
  let isOfFrequent = true;
  let isLate = false;

  const readingOf = (clock: ClockReading, found: Readonly<Record<string, unknown>> = {}): WorkReading => ({
    ...clock,
    mayFind(work) {
      const nowMs = performance.now();
      const formerMs = foundAtMs.get(work);
      const isRoundDue = formerMs === undefined || nowMs - formerMs >= roundEveryMs;
      const isWanted = isRoundDue || found[work] !== false;
      if (isWanted) foundAtMs.set(work, formerMs === undefined ? nowMs - spreadMs(foundAtMs.size) : nowMs);
      return isWanted;
    },
  });

  /** Undefined after a failure. */
  const ask = (conditions: ConditionStatement): Promise<WorkReading | undefined> =>
    readClockWith(pool, conditions).then(
      ({ reading, row }) => {
        failures.succeeded();
        return readingOf(reading, row);
      },
      (error: unknown) => {
        failures.failed(error);
        return undefined;
      },
    );

  async function gather(): Promise<WorkReading> {
    await nextTurn();
    const conditions = isOfFrequent ? selectFrequent : selectAll;
    gathered = undefined;
    isOfFrequent = true;
    if (!isLate) {
      const asked = ask(conditions);
      const answer = await Promise.race([asked, delay(answerMaxMs, undefined, { ref: false })]);
      if (answer) return answer;
      failures.failed(new Error(`No answer within ${answerMaxMs} ms`));
      isLate = true;
      void asked.finally(() => (isLate = false));
    }
    return readingOf(await readClock(pool));
  }

  async function read(work?: string): Promise<WorkReading> {
    isOfFrequent &&= frequent.some((name) => name === work);
    return (gathered ??= gather());
  }

  return { read, mayFind: async (work) => (await read(work)).mayFind(work) };
}

/** Work that is looked for more than once a second while some waits. */
const frequent = ['due_contact_changes', 'due_mails'] as const;

type ConditionStatement = Statement<{ ms: number }>;

const select = (name: string, works: readonly string[]): ConditionStatement =>
  statement({
    name,
    text: `
      select extract(epoch from clock_timestamp())::float8 * 1000 as ms,
        ${works.map((work) => `${workConditions[work]} as ${work}`).join(',\n        ')}`,
    allAccounts: 'A worker works for every account.',
    row: { ms: column.float, ...Object.fromEntries(works.map((work) => [work, column.boolean])) },
  });

const selectAll = select('composition.find_work', Object.keys(workConditions));
const selectFrequent = select('composition.find_frequent_work', frequent);
