import type { AccountWriter } from '@service/database';
import type { Evaluated } from './hold-conditions.ts';

// In one order for everybody, so that two transactions never wait for each other's keys in a circle. Whoever comes second waits
// until the first has ended: a key that is taken back is free again.
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

/** Takes the keys of what is to fire. Those whose key is taken, here or by anybody before, come back as already fired. */
export async function claimFirings(
  { query, accountId, now }: Pick<AccountWriter, 'query' | 'accountId' | 'now'>,
  evaluations: readonly Evaluated[],
): Promise<Evaluated[]> {
  const wanted = new Map<string, FiringRow>();
  const first = new Map<string, Evaluated>();
  for (const evaluation of evaluations.filter(needsKey)) {
    const row = firingOf(evaluation);
    if (!first.has(keyOf(row))) first.set(keyOf(row), evaluation);
    wanted.set(keyOf(row), row);
  }
  if (wanted.size === 0) return [...evaluations];
  const values = [accountId, JSON.stringify([...wanted.values()]), now];
  const taken = await query<FiringRow>(insertFirings, values);
  const firing = new Set(taken.map((row) => first.get(keyOf(row))));
  return evaluations.map((evaluation) =>
    needsKey(evaluation) && !firing.has(evaluation)
      ? { ...evaluation, skipReason: 'already_fired' }
      : evaluation,
  );
}

/** A registration that is new has seen no rule fire. */
const needsKey = ({ event, skipReason }: Evaluated): boolean =>
  skipReason === undefined && event.type !== 'registered';

const firingOf = (evaluation: Evaluated): FiringRow => ({
  rule_id: evaluation.rule.id,
  registration_id: evaluation.event.registration.id,
  session_id: evaluation.event.registration.sessionId,
  subject: subjectOf(evaluation),
});

const keyOf = (row: FiringRow): string =>
  [row.rule_id, row.registration_id, row.session_id, row.subject].join(' ');

/** What of it a rule fires for: two different clicks are two. Empty where a rule fires once in a session. */
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
