import type { ChaosWorld } from './world.ts';

/** One thing that must hold, and what was seen. */
export interface Check {
  claim: string;
  passed: boolean;
  figure: string;
}

export interface Outcome {
  checks: Check[];
  /** What else is worth knowing, by name; shown and never judged. */
  figures: Record<string, string | number>;
}

export interface DrillRun {
  /** What `--seconds` says, else the drill's own. */
  seconds: number;
  /** A service on a new, migrated database; nothing runs yet but the receiver. It is cleared away after the drill. */
  openWorld(options: { webinars: number; keepBodies?: boolean }): Promise<ChaosWorld>;
  /** What goes on at this moment, for whoever watches. */
  say(doing: string): void;
}

export interface Drill {
  name: string;
  /** For --help: what is done and what must hold. */
  summary: string;
  /** How long the trouble lasts unless told otherwise. Start, draining and judging come on top. */
  seconds: number;
  /** Puts the tables on a small disk of their own (small-disk.ts). */
  smallDisk?: boolean;
  run(run: DrillRun): Promise<Outcome>;
}

export const check = (claim: string, passed: boolean, figure: string | number): Check => ({
  claim,
  passed,
  figure: String(figure),
});
