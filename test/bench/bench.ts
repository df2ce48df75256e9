import type { BenchDatabase } from './bench-database.ts';
import type { Target } from './report.ts';

/** One thing that is measured beside its ceiling, in the same run on the same machine. */
export interface Bench {
  name: string;
  /** For --help. */
  summary: string;
  /** Its own default of --seconds. */
  seconds?: number;
  run(run: BenchRun): Promise<BenchReport>;
}

/** An empty database and the options of the command. Each bench has its own default for those that may be undefined. */
export interface BenchRun extends Pick<BenchDatabase, 'database' | 'url'> {
  rounds: number;
  seconds: number;
  minutes: number;
  workers: number;
  /** Reports what goes on, on standard error. */
  say(doing: string): void;
  concurrency: number;
  requests: number;
  rate?: number | undefined;
  deliveries?: number | undefined;
  rows?: number | undefined;
  /** Returns a part, which is disposed of when the bench has ended. */
  use<Part extends Disposable | AsyncDisposable>(part: Part): Part;
}

export interface BenchReport {
  /** For `--json`. */
  figures: object;
  text: string;
  targets: Target[];
}

/** Measures in turns. The first round warms everything up and does not count. */
export async function measureRounds<Figures>(
  rounds: number,
  measure: (round: number) => Promise<Figures>,
): Promise<Figures[]> {
  await measure(0);
  const measured: Figures[] = [];
  for (let round = 1; round <= rounds; round += 1) measured.push(await measure(round));
  return measured;
}
