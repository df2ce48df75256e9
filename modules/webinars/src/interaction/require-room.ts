import { column, statement, type AccountWriter } from '@service/database';
import { commonErrors, type Issue } from '@service/errors';

const selectLate = statement({
  name: 'webinars.select_late_interactions',
  text: `
    select internal_name, show_at_seconds from webinars.interaction
    where account_id = $1 and webinar_id = $2 and segment_id is not distinct from $3::uuid and show_at_seconds >= $4
    order by show_at_seconds desc`,
  row: { internal_name: column.text, show_at_seconds: column.integer },
});

/** A segment, or null for the webinar itself. */
interface Place {
  webinarId: string;
  segmentId: string | null;
}

/** Makes sure that all interactions fit a new duration of the webinar. Throws validation_failed with those that do not. */
export async function requireRoom(
  tx: AccountWriter,
  webinarId: string,
  durationSeconds: number,
): Promise<void> {
  const issues = await lateInteractions(tx, { webinarId, segmentId: null }, durationSeconds);
  if (issues.length > 0) throw commonErrors.validation_failed({ issues });
}

/** Returns a problem for each interaction that a segment or webinar of this duration would not reach. */
export async function lateInteractions(
  { query, accountId }: AccountWriter,
  { webinarId, segmentId }: Place,
  durationSeconds: number,
): Promise<Issue[]> {
  const late = await query(selectLate, [accountId, webinarId, segmentId, durationSeconds]);
  return late.map(({ internal_name: name, show_at_seconds: seconds }) => ({
    path: 'durationSeconds',
    message: `Too short for the interaction "${name}", which is shown at ${seconds} seconds.`,
  }));
}
