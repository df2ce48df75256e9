// After the session: waits until the service has come to rest, then compares.
import { setTimeout as wait } from 'node:timers/promises';
import type { Api } from '../service/api.ts';
import type { Attendee } from './attendees.ts';
import type { Performer, World } from '../attendee/crowd.ts';
import { expectationsOf } from './expectations.ts';
import type { Programme } from '../programme.ts';
import type { Progress } from '../progress.ts';
import type { Receipts } from '../service/receipts.ts';
import { reconcileStats } from './reconcile-stats.ts';
import { reconcile, type Reconciliation } from './reconcile.ts';
import { readRecords, readStats } from '../service/records.ts';
import { settle } from './settle.ts';
import type { Stage } from '../service/stage.ts';

interface Played {
  world: World;
  performers: readonly Performer[];
  stage: Stage;
  programme: Programme;
  receipts: Receipts;
}

interface JudgeOptions {
  api: Api;
  /** How many are to be compared in full. */
  checked: number;
  progress: Progress;
  /** Pages that are still open then are not waited for. */
  stop: AbortSignal;
  hurry: AbortSignal;
}

/** Null when there was no time for it. */
export async function judge(played: Played, options: JudgeOptions): Promise<Reconciliation | null> {
  const { world, performers, stage, programme } = played;
  const { api, progress, hurry } = options;
  progress.show(() => `The last pages are closing: ${world.tally.openTabs}`);
  await lastCalls(world, options);
  const isFollowed = stage.followed !== undefined;
  const receipts = isFollowed ? played.receipts : undefined;
  const attendees = performers.map(({ registrationId, email, doings }): Attendee => ({
    registrationId,
    email,
    expected: expectationsOf(doings, { programme, interactions: stage.interactions, isFollowed }),
  }));
  let missing = '';
  progress.show(() => `Waiting for ${missing}`);
  await settle(api, stage, { attendees, receipts, onWait: (what) => (missing = what), stop: hurry });
  if (hurry.aborted) return null;

  const checked = sample(attendees, Math.min(options.checked, attendees.length));
  let read = 0;
  progress.show(() => `Reading what was recorded: ${read} of ${checked.length}`);
  const isEverybody = checked.length === attendees.length;
  const records = await readRecords(api, stage, { checked, isEverybody, onRead: (count) => (read = count) });
  const doings = performers.map((performer) => performer.doings);
  const parts = [
    reconcile(attendees, records, receipts),
    reconcileStats(doings, await readStats(api, stage)),
  ];
  return {
    lines: parts.flatMap(({ lines }) => lines),
    differences: parts.flatMap(({ differences }) => differences),
  };
}

async function lastCalls({ tally, room }: World, { stop, hurry }: JudgeOptions): Promise<void> {
  const isDone = (): boolean => room.pending() === 0 && (tally.openTabs === 0 || stop.aborted);
  while (!isDone() && !hurry.aborted) await wait(100);
}

/** Evenly over all, so that those of every batch are among them. */
const sample = <Item>(items: readonly Item[], count: number): Item[] =>
  Array.from({ length: count }, (_, index) => items[Math.floor((index * items.length) / count)]!);
