// Rules and what attendees write come from outside, and multiply: 100 rules x 20 conditions x 50 messages that folding makes 18
// times longer are two billion letters for one click. So an event has a budget, and what it does not reach is left over.
import { nextTurn, partMs } from '@service/database';
import { foldText } from './fold-text.ts';

/** Milliseconds of CPU time that were used up to now, from any beginning. */
export type CpuClock = () => number;

// A Node before 23.9 only knows the CPU time of all its threads.
const readUsage: () => NodeJS.CpuUsage = process.threadCpuUsage ?? process.cpuUsage;

/** CPU time of this thread: neither other processes nor the garbage collector's threads are an event's fault. */
const threadCpuMs: CpuClock = () => {
  const { user, system } = readUsage();
  return (user + system) / 1000;
};

/** Of one event, over all its rules. */
export const eventCpuMs = 50;

/** Of one event: 1 MiB of folded text, as two bytes for each UTF-16 code unit. */
export const eventFoldedBytes = 1024 * 1024;

/** CPU of all events of one transaction, which may be five hundred. */
export const totalCpuMs = 500;

/** The clock is read once in this much work, about a tenth of a millisecond: a reading takes two microseconds. */
const workPerReading = 20_000;

/** Folding one unit costs as much as searching through thirty. */
const foldWork = 30;

/** The CPU time and folded text that one event may still use. */
export interface EvaluationBudget {
  /** Once true it stays so, and results that came after it mean nothing. */
  readonly isSpent: boolean;
  /** A text as conditions compare it; each text is folded once. Empty when the budget is spent. */
  fold(text: string): string;
  /** Records work: about one unit for each character that is looked at. */
  spend(work: number): void;
  /** Stops the event's clock until its next work. Call it before anything is waited for. */
  pause(): void;
  /** The same, and drops the folded texts. */
  finish(): void;
}

/** The budgets of the events of one transaction. */
export interface Evaluation {
  /** CPU time that all of them have used up to now. */
  usedMs(): number;
  /** The budget of an event, always the same one. */
  budgetOf(eventId: string): EvaluationBudget;
  /**
   * Lets other work of the process run if this evaluation has kept it for long. `running` is the budget of an event that goes on
   * afterwards; its clock stops meanwhile.
   */
  giveWay(running?: EvaluationBudget): Promise<void> | undefined;
}

interface EvaluationOptions {
  cpuMs?: CpuClock | undefined;
  totalMs?: number;
}

/** Budgets for the events of one transaction, which have `totalMs` of CPU together. */
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
    usedMs: () => usedMs,
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

/** CPU time that several events have together. */
interface SharedTime {
  add(ms: number): void;
  isSpent(): boolean;
}

function createBudget(cpuMs: CpuClock, total: SharedTime): EvaluationBudget {
  const folded = new Map<string, string>();
  let foldedBytes = 0;
  let usedMs = 0;
  let work = 0;
  /** Undefined while the event's clock stands still. */
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
