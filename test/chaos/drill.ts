import type { FormerVersion } from './former-version.ts';
import type { ChaosWorld } from './world.ts';

/** This machine cannot run a drill; the message says why. */
export class CannotRun extends Error {}

/** One claim, and what the drill saw of it. */
export interface Check {
  claim: string;
  passed: boolean;
  figure: string;
}

export interface Outcome {
  checks: Check[];
  /** Further figures by name; shown and never judged. */
  figures: Record<string, string | number>;
}

export interface DrillRun {
  /** The value of `--seconds`, else the drill's own. */
  seconds: number;
  /** The value of `--kills`: the drill ends after so many kills, and not after its seconds. */
  kills?: number | undefined;
  /** The value of `--rows`: further rows of each partitioned table. */
  rows?: number | undefined;
  /** The value of `--former`: the commit of the former version. */
  former?: string | undefined;
  /** A service on a new, migrated database; nothing runs yet but the receiver. It is cleared away after the drill. */
  openWorld(options: { webinars: number; keepBodies?: boolean; former?: FormerVersion }): Promise<ChaosWorld>;
  /** Shows the present step on the terminal. */
  say(doing: string): void;
}

export interface Drill {
  name: string;
  /** For --help: the steps and the claims. */
  summary: string;
  /** Default duration of the trouble. Start, draining and judging take further time. */
  seconds: number;
  /** The further time at most. */
  overheadMaxSeconds?: number;
  /** Puts the tables on a small disk of their own (small-disk.ts). */
  smallDisk?: boolean;
  /** Archives the write-ahead log, so that the drill can restore a backup. */
  archive?: boolean;
  run(run: DrillRun): Promise<Outcome>;
}

export const check = (claim: string, passed: boolean, figure: string | number): Check => ({
  claim,
  passed,
  figure: String(figure),
});
