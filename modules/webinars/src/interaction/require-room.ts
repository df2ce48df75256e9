import type { AccountWriter } from '@service/database';
import { commonErrors, type Issue } from '@service/errors';

const selectLate = {
  text: `
    select internal_name, show_at_seconds from webinars.interaction
    where account_id = $1 and webinar_id = $2 and segment_id is not distinct from $3 and show_at_seconds >= $4
    order by show_at_seconds desc`,
};

interface Late {
  internal_name: string;
  show_at_seconds: number;
}

/** A segment, or the webinar itself for what belongs to none. */
interface Place {
  webinarId: string;
  segmentId: string | null;
}

/** A webinar is not made shorter than what is to be shown in it. Throws validation_failed naming what would not be. */
export async function requireRoom(
  tx: AccountWriter,
  webinarId: string,
  durationSeconds: number,
): Promise<void> {
  const issues = await lateInteractions(tx, { webinarId, segmentId: null }, durationSeconds);
  if (issues.length > 0) throw commonErrors.validation_failed({ issues });
}

/** A problem for each interaction that would not be shown if its place were only so long. */
export async function lateInteractions(
  { query, accountId }: AccountWriter,
  { webinarId, segmentId }: Place,
  durationSeconds: number,
): Promise<Issue[]> {
  const late = await query<Late & Record<string, unknown>>(selectLate, [
    accountId,
    webinarId,
    segmentId,
    durationSeconds,
  ]);
  return late.map(({ internal_name: name, show_at_seconds: seconds }) => ({
    path: 'durationSeconds',
    message: `Too short for the interaction "${name}", which is shown at ${seconds} seconds.`,
  }));
}
