// Compares the statistics of the interactions with the actions of attendees.
import { isWithin, never, once, showCount, sumCounts, type Count } from '../count.ts';
import {
  clickTargets,
  interactionTypes,
  type ActionLog,
  type ClickTarget,
  type InteractionType,
} from '../attendee/action-log.ts';
import { pollOptions } from '../programme.ts';
import type { Reconciliation } from './reconcile.ts';
import type { InteractionStats } from '../service/records.ts';

export function reconcileStats(
  actionLogs: readonly ActionLog[],
  stats: Record<InteractionType, InteractionStats>,
): Reconciliation {
  const clicksOn = (on: ClickTarget): Count[] => actionLogs.map(({ clicks }) => clicks[on]);
  const votesFor = (id: string): Count => sumCounts(actionLogs.map(({ votes }) => votes.get(id) ?? never));
  const figures: [what: string, done: Count, found: number][] = [
    ...interactionTypes.map((on): [string, Count, number] => [
      `stats: ${on} views`,
      sumCounts(actionLogs.map(({ views }) => views[on])),
      stats[on].views,
    ]),
    ...clickTargets.flatMap((on): [string, Count, number][] => [
      [`stats: ${on} clicks`, sumCounts(clicksOn(on)), stats[on].clicks],
      [`stats: ${on} clickers`, sumCounts(clicksOn(on).map(once)), stats[on].uniqueClickers],
    ]),
    ['stats: poll answers', sumCounts(pollOptions.map(({ id }) => votesFor(id))), stats.poll.responses],
    ...pollOptions.map(({ id }): [string, Count, number] => [
      `stats: poll "${id}"`,
      votesFor(id),
      stats.poll.options.find((option) => option.id === id)?.count ?? 0,
    ]),
  ];
  return {
    lines: figures.map(([what, done, found]) => ({
      what,
      done,
      recorded: { expected: done, found },
      fired: null,
      delivered: null,
      differences: isWithin(found, done) ? 0 : 1,
    })),
    differences: figures
      .filter(([, done, found]) => !isWithin(found, done))
      .map(([what, done, found]) => ({ what, text: `${what}: done ${showCount(done)}, recorded ${found}` })),
  };
}
