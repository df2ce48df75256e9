import type { Attendee } from '@service/attendees';
import {
  column,
  createId,
  idAt,
  statement,
  type AccountQueries,
  type AccountWriter,
} from '@service/database';
import { type MailKind, priorityOf, purposeOf } from '../content/mail-kinds.ts';
import type { MailData } from '../entities.ts';
import { firstStatus, refuseBeyond } from './mail-counts.ts';
import { notifyOfMails } from './notify.ts';

/** A mail to be queued. */
export interface MailDraft {
  kind: MailKind;
  webinarId: string;
  sessionId: string;
  registrationId: string;
  toAddress: string;
  expiresAt: Date;
  /** Of a reminder: minutes before the start. */
  minutes?: number;
  data?: MailData;
}

/** The person of a mail. */
export const recipientOf = ({
  id: registrationId,
  webinarId,
  sessionId,
  email: toAddress,
}: Attendee['registration']): Pick<
  MailDraft,
  'registrationId' | 'webinarId' | 'sessionId' | 'toAddress'
> => ({
  registrationId,
  webinarId,
  sessionId,
  toAddress,
});

/** A session whose plan of reminders and later mails may not exist yet. */
export interface PlannedSession {
  sessionId: string;
  webinarId: string;
}

// One statement, because every registration waits for it. It reads the settings itself: a webinar whose mails are switched off, or
// this kind of them, queues nothing. Waiting mails compare the time of the database. Mails beyond the limit of the account end at once.
const insertMails = statement({
  name: 'mails.queue_mails',
  text: `
    with draft as materialized (
      select * from jsonb_to_recordset($2::jsonb) as d
        (id uuid, "webinarId" uuid, "sessionId" uuid, "registrationId" uuid, kind text, minutes integer, purpose text,
         "toAddress" text, data jsonb, priority smallint, "expiresAt" timestamptz)
    ), wanted as materialized (
      select draft.* from draft
      left join mails.webinar_mails w on w.account_id = $1 and w.webinar_id = draft."webinarId"
      where case when w.webinar_id is null then draft."webinarId" >= (select first_webinar_id from mails.introduction)
        else (w.settings ->> 'enabled')::boolean
          and coalesce((w.settings #>> array['kinds', draft.kind, 'enabled'])::boolean, true) end
    ), ${refuseBeyond('$4', 'wanted')}, planned as (
      insert into mails.session_timer (account_id, session_id, kind, webinar_id, due_at)
      select $1, "sessionId", 'plan', "webinarId", clock_timestamp()
      from jsonb_to_recordset($3::jsonb) as s ("sessionId" uuid, "webinarId" uuid)
      order by "sessionId"
      on conflict do nothing
    ), queued as (
      insert into mails.due (account_id, mail_id, priority, due_at, expires_at)
      select $1, id, priority, clock_timestamp(), "expiresAt" from decided where not is_refused
    )
    insert into mails.mail
      (account_id, id, webinar_id, session_id, registration_id, kind, minutes, purpose, to_address, data, status, reason)
    select $1, id, "webinarId", "sessionId", "registrationId", kind, minutes, purpose, "toAddress", data,
      ${firstStatus}
    from decided`,
});

/**
 * Queues mails with the commit, and plans the mails of sessions that have no plan yet. Beyond `backlogMax` waiting mails of the
 * account a mail ends at once as `failed` (`backlog_full`). Returns the ids of the mails.
 */
export function queueMails(
  tx: Pick<AccountWriter, 'defer' | 'followCommit' | 'accountId'>,
  drafts: readonly MailDraft[],
  { backlogMax, sessions = [] }: { backlogMax: number; sessions?: readonly PlannedSession[] },
): string[] {
  if (drafts.length + sessions.length === 0) return [];
  const rows = drafts.map(({ data = {}, ...draft }) => ({
    ...draft,
    data,
    id: createId(),
    purpose: purposeOf(draft.kind),
    priority: priorityOf(draft.kind),
  }));
  tx.defer(insertMails, [tx.accountId, JSON.stringify(rows), JSON.stringify(sessions), backlogMax]);
  if (rows.length > 0) notifyOfMails(tx);
  return rows.map((row) => row.id);
}

/**
 * Mails of the webinar to one registration, and mails of rules for it. The disk must not fill when a session is moved again and again, or
 * when an attendee writes many messages. Both are counted apart, so that mails of rules do not keep back a cancellation.
 */
const registrationMax = 100;

// $3 is the lowest of the ids: there are no mails in partitions before it. $4: the mails of rules are counted, or the others.
const countEarlier = statement({
  name: 'mails.count_of_registrations',
  text: `
    select person.id, (select count(*) from (select from mails.mail earlier
      where earlier.account_id = $1 and earlier.registration_id = person.id and earlier.id >= $3::uuid
        and (earlier.kind = 'rule') = $4::boolean
      limit ${registrationMax}) kept)::integer as count
    from unnest($2::uuid[]) as person (id)`,
  row: { id: column.id, count: column.integer },
});

/**
 * Counts the mails of rules, or of the webinar, that these registrations have. The result is called for each further mail: it counts
 * the mail, or returns false if the registration has as many as it may have. Mails that wait for a commit are not seen.
 */
export async function countMails(
  { query, accountId }: AccountQueries,
  registrationIds: readonly string[],
  { ofRules }: { ofRules: boolean },
): Promise<(registrationId: string) => boolean> {
  const ids = [...new Set(registrationIds)].toSorted();
  const rows = ids.length === 0 ? [] : await query(countEarlier, [accountId, ids, ids[0], ofRules]);
  const counts = new Map(rows.map(({ id, count }) => [id, count]));
  return (id) => {
    const count = counts.get(id) ?? 0;
    counts.set(id, count + 1);
    return count < registrationMax;
  };
}

/** The drafts without those to people who have as many mails as a registration may have. */
export async function withoutExcess(
  reader: AccountQueries,
  drafts: readonly MailDraft[],
): Promise<MailDraft[]> {
  const ids = drafts.map(({ registrationId }) => registrationId);
  const addMail = await countMails(reader, ids, { ofRules: false });
  return drafts.filter(({ registrationId }) => addMail(registrationId));
}

/** Mails of one kind to one registration in a day, beside the first. */
const againMax = 5;
const dayMs = 86_400_000;

const countRecent = statement({
  name: 'mails.count_recent',
  text: `
    select count(*)::integer as count from mails.mail
    where account_id = $1 and registration_id = $2 and kind = $3 and id >= $4::uuid`,
  row: { count: column.integer },
});

// Two calls at once must not both count the same mails.
const takeTurn = statement({
  name: 'mails.take_turn_of_sends',
  text: `select pg_advisory_xact_lock(hashtextextended('mails.send ' || $1::uuid::text || $2::uuid::text, 0))`,
});

/** False when the registration has had enough mails of this kind today. */
export async function maySendAgain(
  { query, accountId, now }: Pick<AccountWriter, 'query' | 'accountId' | 'now'>,
  { registrationId, kind }: Pick<MailDraft, 'registrationId' | 'kind'>,
): Promise<boolean> {
  const since = idAt(new Date(now.getTime() - dayMs));
  await query(takeTurn, [accountId, registrationId]);
  const [recent] = await query(countRecent, [accountId, registrationId, kind, since]);
  return recent!.count <= againMax;
}

const hourMs = 3_600_000;

/** The longest waits of mails for a sender. */
export const waitMaxMs = { confirmation: 72 * hourMs, change: 24 * hourMs };
