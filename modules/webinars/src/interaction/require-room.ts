import type { AccountWriter } from '@service/database';
import { commonErrors } from '@service/errors';

const selectLatest = {
  text: `
    select internal_name, show_at_seconds from webinars.interaction
    where account_id = $1 and webinar_id = $2 and show_at_seconds >= $3
    order by show_at_seconds desc`,
};

interface Late {
  internal_name: string;
  show_at_seconds: number;
}

/** A webinar is not made shorter than what is to be shown in it. Throws validation_failed naming what would not be. */
export async function requireRoom(
  { query, accountId }: AccountWriter,
  webinarId: string,
  durationSeconds: number,
): Promise<void> {
  const late = await query<Late & Record<string, unknown>>(selectLatest, [
    accountId,
    webinarId,
    durationSeconds,
  ]);
  if (late.length === 0) return;
  throw commonErrors.validation_failed({
    issues: late.map(({ internal_name: name, show_at_seconds: seconds }) => ({
      path: 'durationSeconds',
      message: `Too short for the interaction "${name}", which is shown at ${seconds} seconds.`,
    })),
  });
}
