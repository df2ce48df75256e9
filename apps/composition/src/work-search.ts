// One statement asks for all work of a worker whether a round of it may find something, together with the database's time. Without it an
// idle worker would send 50 statements a second. While the database's snapshot is the same, no transaction has committed, and the last answer
// is still true.
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { createFailureFilter, nextMultipleMs, type UntilWork } from '@service/background';
import {
  column,
  dueWithinMs,
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
  /** For all work together. Resolves at a full second, after six at most. */
  untilWork: UntilWork;
}

/** A lock on one table must not stop the other work. After this time all work runs as if it had no condition. */
const answerMaxMs = 1000;
/** While nothing is due, the snapshot is read in this period. */
const restEveryMs = 1000;
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
  let resting: Promise<void> | undefined;
  /** The last answer, if nothing was due. It is true until its time, as long as the snapshot is the same. */
  let quiet: { found: WorkRow; untilMs: number } | undefined;

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

  /** Undefined unless the last answer is still true. */
  async function findNothing(): Promise<WorkReading | undefined> {
    const known = quiet;
    if (!known || performance.now() >= known.untilMs) return undefined;
    const { reading, row } = await readClockWith(pool, selectSnapshot);
    if (row.snapshot === known.found.snapshot) return readingOf(reading, known.found);
    if (quiet === known) quiet = undefined;
    return undefined;
  }

  async function find(conditions: ConditionStatement): Promise<WorkReading> {
    const nothing = await findNothing();
    if (nothing) return nothing;
    const startedAtMs = performance.now();
    const { reading, row } = await readClockWith(pool, conditions);
    if (conditions === selectAll) {
      const isQuiet = !Object.values(row).includes(true);
      quiet = isQuiet ? { found: row, untilMs: startedAtMs + dueWithinMs } : undefined;
    }
    return readingOf(reading, row);
  }

  /** Undefined after a failure. */
  const ask = (conditions: ConditionStatement): Promise<WorkReading | undefined> =>
    find(conditions).then(
      (reading) => {
        failures.succeeded();
        return reading;
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
      const answered = new AbortController();
      const late = delay(answerMaxMs, undefined, { ref: false, signal: answered.signal });
      const answer = await Promise.race([asked, late]);
      answered.abort();
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

  /** Work that does not wait may renew the answer, so the rest has an end of its own: the other work must have its rounds of each minute. */
  async function rest(): Promise<void> {
    const endMs = performance.now() + dueWithinMs;
    let isQuiet = true;
    while (isQuiet && performance.now() < endMs) {
      await delay(nextMultipleMs(restEveryMs) - performance.now(), undefined, { ref: false });
      isQuiet = (await findNothing().catch(() => undefined)) !== undefined;
    }
    resting = undefined;
  }

  return {
    read,
    mayFind: async (work) => (await read(work)).mayFind(work),
    untilWork: () => (quiet ? (resting ??= rest()) : undefined),
  };
}

/** Work that is looked for more than once a second while some waits. */
const frequent = ['due_contact_changes', 'due_mails'] as const;

interface WorkRow {
  ms: number;
  /** The transactions that the statement saw. */
  snapshot: string;
  /** True if a round of the work may find something. */
  [work: string]: unknown;
}

type ConditionStatement = Statement<WorkRow>;

const clockAndSnapshot = `extract(epoch from clock_timestamp())::float8 * 1000 as ms, pg_current_snapshot()::text as snapshot`;

const selectSnapshot: ConditionStatement = statement({
  name: 'composition.read_snapshot',
  text: `select ${clockAndSnapshot}`,
  row: { ms: column.float, snapshot: column.text },
});

const select = (name: string, works: readonly string[]): ConditionStatement =>
  statement({
    name,
    text: `
      select ${clockAndSnapshot},
        ${works.map((work) => `${workConditions[work]} as ${work}`).join(',\n        ')}`,
    allAccounts: 'A worker works for every account.',
    row: {
      ms: column.float,
      snapshot: column.text,
      ...Object.fromEntries(works.map((work) => [work, column.boolean])),
    },
  });

const selectAll = select('composition.find_work', Object.keys(workConditions));
const selectFrequent = select('composition.find_frequent_work', frequent);
