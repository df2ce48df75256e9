import {
  type AccountWriter,
  column,
  type Database,
  lowestId,
  statement,
  type Transaction,
} from '@service/database';
import type { Webinar } from '../entities/webinar.ts';
import { occurrenceAt, occurrencesAfter } from '../schedule/occurrences.ts';
import { dayMs } from '../schedule/zone.ts';
import { draftToRow, insertSessions, recurrenceKey, type SessionDraft } from './insert-sessions.ts';

// Only sessions of a recurrence follow the schedule, not those that were created or moved by a call.
const selectComing = statement({
  name: 'webinars.select_coming_sessions',
  text: `
    select id, starts_at from webinars.session
    where account_id = $1 and webinar_id = $2 and kind = 'scheduled' and control = 'clock' and recurrence_key is not null
      and starts_at > $3`,
  row: { id: column.id, starts_at: column.time },
});

// $1 account, $2 ids.
const isNamed = 's.account_id = $1 and s.id = any($2::uuid[])';

const deleteNeverBooked = statement({
  name: 'webinars.delete_never_booked_sessions',
  text: `delete from webinars.session s where ${isNamed} and not s.was_booked`,
});

const cancelUnbooked = statement({
  name: 'webinars.cancel_unbooked_sessions',
  text: `
    update webinars.session s set status = 'cancelled'
    where ${isNamed} and s.registered_count = 0`,
});

const adjustUnbooked = statement({
  name: 'webinars.adjust_unbooked_sessions',
  text: `
    update webinars.session s set status = 'scheduled', timezone = $3, ends_at = starts_at + make_interval(secs => $4)
    where ${isNamed} and s.registered_count = 0`,
});

/**
 * Makes the future sessions of a webinar follow its schedule. Sessions with registrations stay unchanged. Of the others that do
 * not match the schedule, those with cancelled registrations are cancelled and the rest are deleted. The caller has locked the
 * webinar, so no booking runs at the same time.
 */
export async function syncSessions(tx: AccountWriter, webinar: Webinar): Promise<void> {
  const { query, accountId, now } = tx;
  const coming = await query(selectComing, [accountId, webinar.id, now]);
  const isWanted = ({ starts_at: startsAt }: { starts_at: Date }): boolean =>
    occurrenceAt(webinar, startsAt.getTime()) !== undefined;
  const wanted = coming.filter(isWanted).map(({ id }) => id);
  const stale = coming.filter((session) => !isWanted(session)).map(({ id }) => id);
  if (stale.length > 0) {
    await query(deleteNeverBooked, [accountId, stale]);
    await query(cancelUnbooked, [accountId, stale]);
  }
  if (wanted.length > 0)
    await query(adjustUnbooked, [accountId, wanted, webinar.timezone, webinar.durationSeconds]);
  const rows = comingSessions(webinar, now).map((draft) => draftToRow(webinar, draft));
  await insertSessions(tx, rows);
}

const batchSize = 100;

// Skips a webinar that another transaction is changing, because that transaction makes its sessions.
const selectBatch = statement({
  name: 'webinars.select_planned_webinars',
  text: `
    select account_id as "accountId", id, timezone, duration_seconds as "durationSeconds", schedule from webinars.webinar
    where status = 'published' and (account_id, id) > ($1::uuid, $2::uuid)
    order by account_id, id limit ${batchSize} for share skip locked`,
  allAccounts: 'Sessions are kept ahead for all published webinars, in the order of accounts.',
  row: {
    accountId: column.id,
    id: column.id,
    timezone: column.text,
    durationSeconds: column.integer,
    schedule: column.json<Webinar['schedule']>(),
  },
});

type Place = Pick<Webinar, 'accountId' | 'id'>;

/**
 * Makes the missing sessions of all published webinars, in all accounts; see comingSessions. Each batch of 100 webinars is one
 * transaction. Returns the number of sessions made.
 */
export async function keepSessionsAhead(database: Database, now: Date): Promise<number> {
  let made = 0;
  for (let after: Place | undefined = { accountId: lowestId, id: lowestId }; after;) {
    const place: Place = after;
    const batch = await database.transaction((tx) => fillBatch(tx, place, now));
    made += batch.made;
    after = batch.last;
  }
  return made;
}

async function fillBatch(
  { query }: Pick<Transaction, 'query'>,
  after: Place,
  now: Date,
): Promise<{ made: number; last: Place | undefined }> {
  const webinars = await query(selectBatch, [after.accountId, after.id]);
  const rows = webinars.flatMap((webinar) =>
    comingSessions(webinar, now).map((draft) => draftToRow(webinar, draft)),
  );
  const made = await insertSessions({ query, now }, rows);
  return { made, last: webinars.length === batchSize ? webinars.at(-1) : undefined };
}

const daysAhead = 60;
const sessionsMax = 20;

/** The scheduled sessions that should exist: at most 20 in the next 60 days. If there are none, the next one after that. */
function comingSessions(webinar: Pick<Webinar, 'schedule' | 'timezone'>, now: Date): SessionDraft[] {
  const horizonMs = now.getTime() + daysAhead * dayMs;
  const drafts: SessionDraft[] = [];
  for (const { startsAtMs, recurrence } of occurrencesAfter(webinar, now.getTime())) {
    if (drafts.length === sessionsMax || (drafts.length > 0 && startsAtMs > horizonMs)) break;
    drafts.push({
      kind: 'scheduled',
      control: 'clock',
      startsAtMs,
      recurrenceKey: recurrenceKey(recurrence),
    });
  }
  return drafts;
}
