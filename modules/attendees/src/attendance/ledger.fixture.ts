// A second implementation of the rules of watch time for tests. It works second by second, with sets of seconds and amounts of
// time.
import { durationSeconds } from './viewer.fixture.ts';

/** Wall time that can still earn seconds of the video. */
interface Allowance {
  leftMs: number;
  /** Time of the last refill. */
  filledMs: number;
}

interface Page extends Allowance {
  seqs: Set<number>;
}

interface Played {
  visit: number;
  seq: number;
  intervals: readonly (readonly [number, number])[];
}

/** The part of the timeline that was played. */
export interface Place {
  offset: number;
  length: number;
}

/** Times are milliseconds since the session's start. */
export class Ledger {
  readonly seconds = new Set<number>();
  isThere = false;
  readonly #maySeek: boolean;
  readonly #pages = new Map<number, Page>();
  readonly #shared: Allowance = { leftMs: 2000, filledMs: Number.NaN };

  constructor({ maySeek }: { maySeek: boolean }) {
    this.#maySeek = maySeek;
  }

  open(nowMs: number, visit: number): void {
    if (this.#pages.size === 0) this.#shared.filledMs = nowMs;
    this.#pages.set(visit, { leftMs: 2000, filledMs: nowMs, seqs: new Set() });
  }

  /** Returns true if the heartbeat counted. */
  hear(nowMs: number, { visit, seq, intervals }: Played, place: Place): boolean {
    const page = this.#pages.get(visit)!;
    const endMs = durationSeconds * 1000;
    if (nowMs < 0 || nowMs >= endMs + 5000 || (nowMs >= endMs && !this.isThere)) return false;
    if (page.seqs.has(seq) || seq <= Math.max(0, ...page.seqs) - 32) return false;
    page.seqs.add(seq);
    this.isThere = true;
    fill(page, nowMs, 90_000);
    // Time before the session is live does not count.
    fill(this.#shared, nowMs, nowMs + 2000);
    const before = this.seconds.size;
    for (const interval of intervals) this.#play(nowMs, page, interval, place);
    const newest = Math.max(...page.seqs);
    const isComplete = newest === 1 || page.seqs.has(newest - 1);
    const isIdle = isComplete && this.seconds.size === before;
    page.leftMs = Math.min(page.leftMs, isIdle ? 5000 : 20_000);
    this.#shared.leftMs = Math.min(this.#shared.leftMs, 20_000);
    return true;
  }

  #play(nowMs: number, page: Page, [from, to]: readonly [number, number], { offset, length }: Place): void {
    const [first, end] = [Math.round(from), Math.round(to)];
    for (let n = 0; n < length; n += 1) {
      if (n < first || n >= end || this.seconds.has(offset + n)) continue;
      // In every trial the first page is open before the start, so the whole time since the start could be played.
      if (!this.#maySeek && (n + 1) * 1000 > nowMs + 5000) continue;
      if (page.leftMs < 1000 || this.#shared.leftMs < 1000) continue;
      this.seconds.add(offset + n);
      page.leftMs -= 1000;
      this.#shared.leftMs -= 1000;
    }
  }
}

function fill(allowance: Allowance, nowMs: number, mostMs: number): void {
  allowance.leftMs = Math.min(allowance.leftMs + nowMs - allowance.filledMs, mostMs);
  allowance.filledMs = nowMs;
}
