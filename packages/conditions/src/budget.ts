// Rules and attendees' messages come from outside, and their sizes multiply: 100 rules x 20 conditions x 50 messages, which
// folding makes up to 18 times longer, are two billion characters for one click. So each event has a budget, and evaluation stops
// when it is spent.
import { nextTurn, partMs, threadCpuMs } from '@service/database';
import { foldText, type FoldBudget } from './search-text.ts';

/** CPU time used so far, in milliseconds. Only differences count. */
export type CpuClock = () => number;

/** CPU time of one event, over all its rules. */
export const eventCpuMs = 50;

/** Folded text of one event: 1 MiB, with two bytes per UTF-16 code unit. */
export const eventFoldedBytes = 1024 * 1024;

/** CPU time of all events of one transaction, which can have 500 events. */
export const totalCpuMs = 500;

/** Work between two readings of the clock, about 0.1 ms. One reading takes 2 microseconds. */
const workPerReading = 20_000;

/** Folding one character costs as much as searching through thirty. */
const foldWork = 30;

/** The CPU time and folded text that one event may still use. */
export interface EvaluationBudget extends FoldBudget {
  /** Records work: about one unit per character that is read. */
  spend(work: number): void;
  /** Stops the event's clock until its next work. Call it before an await. */
  pause(): void;
  /** Like `pause`, and drops the folded texts. */
  finish(): void;
}

/** The budgets of the events of one transaction. */
export interface Evaluation {
  /** The budget of an event. The same id always gets the same budget. */
  budgetOf(eventId: string): EvaluationBudget;
  /**
   * Lets other work of the process run if this evaluation has used the CPU for long. The clock of `running`, the budget of the
   * current event, stops meanwhile.
   */
  giveWay(running?: EvaluationBudget): Promise<void> | undefined;
}

interface EvaluationOptions {
  cpuMs?: CpuClock | undefined;
  totalMs?: number;
}

/** Makes the budgets for the events of one transaction. Together they have `totalMs` of CPU time. */
export function createEvaluation({
  cpuMs = threadCpuMs,
  totalMs = totalCpuMs,
}: EvaluationOptions = {}): Evaluation {
  const budgets = new Map<string, EvaluationBudget>();
  let usedMs = 0;
  let gaveWayAtMs = 0;
  const total: SharedTime = {
    add: (ms) => void (usedMs += ms),
    isSpent: () => usedMs >= totalMs,
  };
  return {
    budgetOf(eventId) {
      const budget = budgets.get(eventId) ?? createBudget(cpuMs, total);
      budgets.set(eventId, budget);
      return budget;
    },
    giveWay(running) {
      if (usedMs - gaveWayAtMs < partMs) return undefined;
      running?.pause();
      const tookMs = usedMs - gaveWayAtMs;
      gaveWayAtMs = usedMs;
      return nextTurn(tookMs);
    },
  };
}

/** CPU time that several events share. */
interface SharedTime {
  add(ms: number): void;
  isSpent(): boolean;
}

function createBudget(cpuMs: CpuClock, total: SharedTime): EvaluationBudget {
  const folded = new Map<string, string>();
  let foldedBytes = 0;
  let usedMs = 0;
  let work = 0;
  /** Undefined while the event's clock is stopped. */
  let readAtMs: number | undefined;
  let isSpent = false;

  const readClock = (): void => {
    work = 0;
    const nowMs = cpuMs();
    const passedMs = readAtMs === undefined ? 0 : nowMs - readAtMs;
    readAtMs = nowMs;
    usedMs += passedMs;
    total.add(passedMs);
    isSpent ||= usedMs >= eventCpuMs;
  };
  const spend = (units: number): void => {
    work += units;
    if (work >= workPerReading) readClock();
  };
  const pause = (): void => {
    if (readAtMs !== undefined) readClock();
    readAtMs = undefined;
  };
  const hasNothingLeft = (): boolean => (isSpent ||= foldedBytes > eventFoldedBytes || total.isSpent());

  return {
    get isSpent() {
      return hasNothingLeft();
    },
    fold(text) {
      const known = folded.get(text);
      if (known !== undefined) return known;
      if (hasNothingLeft()) return '';
      const made = foldText(text);
      folded.set(text, made);
      foldedBytes += made.length * 2;
      spend(made.length * foldWork);
      return made;
    },
    spend,
    pause,
    finish() {
      pause();
      folded.clear();
    },
  };
}
