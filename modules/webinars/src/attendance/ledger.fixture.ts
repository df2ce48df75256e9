// The rules of watch time once more, one second after the other and with nothing but sets: what heartbeats are held against.
import { durationSeconds } from './viewer.fixture.ts';

interface Page {
  startedAtMs: number;
  seqs: Set<number>;
  addedSeconds: number;
}

interface Played {
  visit: number;
  seq: number;
  intervals: readonly (readonly [number, number])[];
}

/** Where in the timeline something was played. */
export interface Place {
  offset: number;
  length: number;
}

/** Times are milliseconds since the session's start. */
export class Ledger {
  readonly seconds = new Set<number>();
  isThere = false;
  readonly #isTogether: boolean;
  readonly #pages = new Map<number, Page>();
  #firstMs = Number.NaN;

  constructor({ isTogether }: { isTogether: boolean }) {
    this.#isTogether = isTogether;
  }

  open(nowMs: number, visit: number): void {
    if (this.#pages.size === 0) this.#firstMs = nowMs;
    this.#pages.set(visit, { startedAtMs: nowMs, seqs: new Set(), addedSeconds: 0 });
  }

  /** Whether it counted. */
  hear(nowMs: number, { visit, seq, intervals }: Played, place: Place): boolean {
    const page = this.#pages.get(visit)!;
    const endMs = durationSeconds * 1000;
    if (nowMs < 0 || nowMs >= endMs + 5000 || (nowMs >= endMs && !this.isThere)) return false;
    if (page.seqs.has(seq) || seq <= Math.max(0, ...page.seqs) - 32) return false;
    page.seqs.add(seq);
    this.isThere = true;
    for (const interval of intervals) this.#play(nowMs, page, interval, place);
    return true;
  }

  #play(nowMs: number, page: Page, [from, to]: readonly [number, number], { offset, length }: Place): void {
    const [first, end] = [Math.round(from), Math.round(to)];
    for (let n = 0; n < length; n += 1) {
      if (n < first || n >= end || this.seconds.has(offset + n)) continue;
      if (this.#isTogether && (n + 1) * 1000 > nowMs + 5000) continue;
      if ((page.addedSeconds + 1) * 1000 > nowMs - page.startedAtMs + 2000) continue;
      if ((this.seconds.size + 1) * 1000 > nowMs - this.#firstMs + 2000) continue;
      this.seconds.add(offset + n);
      page.addedSeconds += 1;
    }
  }
}
