// A rule fires once for a registration, a session and a subject. The key is written in the transaction that fires.
import { roundDaysMax, type AccountWriter, type Database } from '@service/database';
import type { Evaluated } from './evaluate-conditions.ts';

// Every transaction inserts in the same order, so that no two of them deadlock. The second one waits until the first has ended:
// after a rollback the key is free again.
const insertFirings = {
  name: 'automations.insert_firings',
  text: `
    insert into automations.firing (account_id, rule_id, registration_id, session_id, subject, fired_at)
    select $1, rule_id, registration_id, session_id, subject, $3
    from json_to_recordset($2::json) as f (rule_id uuid, registration_id uuid, session_id uuid, subject text)
    order by rule_id, registration_id, session_id, subject
    on conflict do nothing
    returning rule_id, registration_id, session_id, subject`,
};

interface FiringRow {
  rule_id: string;
  registration_id: string;
  session_id: string;
  subject: string;
}

/**
 * Writes the keys of the rules that are about to fire. A rule whose key exists already, from an earlier transaction or from an
 * earlier event of this one, is returned with the reason `already_fired`.
 */
export async function claimFirings(
  { query, accountId, now }: Pick<AccountWriter, 'query' | 'accountId' | 'now'>,
  evaluated: readonly Evaluated[],
): Promise<Evaluated[]> {
  const rows = new Map<string, FiringRow>();
  const firstByKey = new Map<string, Evaluated>();
  for (const one of evaluated.filter(needsKey)) {
    const row = firingOf(one);
    if (!firstByKey.has(keyOf(row))) firstByKey.set(keyOf(row), one);
    rows.set(keyOf(row), row);
  }
  if (rows.size === 0) return [...evaluated];
  const values = [accountId, JSON.stringify([...rows.values()]), now];
  const inserted = await query<FiringRow>(insertFirings, values);
  const firing = new Set(inserted.map((row) => firstByKey.get(keyOf(row))));
  return evaluated.map((one) =>
    needsKey(one) && !firing.has(one) ? { ...one, skipReason: 'already_fired' } : one,
  );
}

/** `registered` comes once for each registration, so it needs no key. */
const needsKey = ({ event, skipReason }: Evaluated): boolean =>
  skipReason === undefined && event.type !== 'registered';

const firingOf = (one: Evaluated): FiringRow => ({
  rule_id: one.rule.id,
  registration_id: one.event.registration.id,
  session_id: one.event.registration.sessionId,
  subject: subjectOf(one),
});

const keyOf = (row: FiringRow): string =>
  [row.rule_id, row.registration_id, row.session_id, row.subject].join(' ');

/** Two clicks on different interactions are two subjects. Empty where a rule fires once in a session. */
function subjectOf({ rule, event: { id, type, data } }: Evaluated): string {
  switch (type) {
    case 'cta_click':
      return textOf(data['interactionId']);
    case 'poll_response':
      return `${textOf(data['interactionId'])}:${textOf(data['optionId'])}`;
    case 'chat_response':
      return rule.fireMode === 'every_match' ? textOf(data['message_event_id'] ?? id) : '';
    case 'branch_taken':
      return textOf(data['branch_id']);
    case 'segment_completed':
      return textOf(data['segment_id']);
    default:
      return '';
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/**
 * Deletes keys of all accounts that fired before a time, in batches: those of the oldest two days at most. Returns their number.
 * A rule can fire again for a deleted key, so `before` must be so long ago that its session can have no more events.
 */
export async function deleteFiringsBefore(
  pool: Database['pool'],
  before: Date,
  batch = 5000,
): Promise<number> {
  const { rows } = await pool.query<{ until: Date }>(
    `select least($1, min(fired_at) + make_interval(days => $2)) as until from automations.firing where fired_at < $1`,
    [before, roundDaysMax],
  );
  let deleted = 0;
  for (;;) {
    const { rowCount } = await pool.query(
      `delete from automations.firing where ctid = any(array(
         select ctid from automations.firing where fired_at < $1 limit $2))`,
      [rows[0]!.until, batch],
    );
    deleted += rowCount ?? 0;
    if ((rowCount ?? 0) < batch) return deleted;
  }
}
