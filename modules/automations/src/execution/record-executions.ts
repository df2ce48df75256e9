// History contains each condition with its expected and actual value. Both come from outside, and a batch may have 500 events x
// 100 rules x 20 conditions x 10,000 characters, so values are shortened or left out. Whether a condition passed is always kept.
import type { SkipReason } from '@service/catalogue';
import { column, statement, type AccountWriter } from '@service/database';
import type { ConditionResult } from '@service/conditions';
import type { ErasePerson } from '@service/module';
import type { KeptResult, QueuedContact, QueuedMail } from '../entities.ts';

const insertExecutions = statement({
  name: 'automations.insert_executions',
  text: `
  insert into automations.execution
    (account_id, id, webinar_id, rule_id, rule_name, registration_id, session_id, event_id, event_type, outcome,
     skip_reason, condition_results, delivery_id, mails, contacts)
  select $1, id, webinar_id, rule_id, rule_name, registration_id, session_id, event_id, event_type, outcome,
    skip_reason, condition_results, delivery_id, mails, contacts
  from jsonb_to_recordset($2::jsonb) as e
    (id uuid, webinar_id uuid, rule_id uuid, rule_name text, registration_id uuid, session_id uuid, event_id uuid,
     event_type text, outcome text, skip_reason text, condition_results jsonb, delivery_id uuid, mails jsonb,
     contacts jsonb)`,
});

/** The evaluation of a rule for an event. It fired unless it has a skip reason. */
interface Evaluation {
  /** Of the execution. */
  id: string;
  rule: { id: string; name: string };
  event: {
    id: string;
    type: string;
    webinar: { id: string };
    registration: { id: string; sessionId: string };
  };
  results: readonly ConditionResult[];
  skipReason?: SkipReason | undefined;
  deliveryId: string | undefined;
  mails: readonly QueuedMail[];
  contacts: readonly QueuedContact[];
}

interface RecordOptions {
  keepResults: KeepResults;
  /** Writes with the commit instead of at once. That is cheaper, but these rows then stay in memory together. */
  isLast: boolean;
}

/** Writes an execution for each evaluated rule. */
export async function recordExecutions(
  { defer, query, accountId }: Pick<AccountWriter, 'defer' | 'query' | 'accountId'>,
  evaluated: readonly Evaluation[],
  { keepResults, isLast }: RecordOptions,
): Promise<void> {
  const rows = evaluated.map(({ id, rule, event, results, skipReason, deliveryId, mails, contacts }) => ({
    id,
    webinar_id: event.webinar.id,
    rule_id: rule.id,
    rule_name: rule.name,
    registration_id: event.registration.id,
    session_id: event.registration.sessionId,
    event_id: event.id,
    event_type: event.type,
    outcome: skipReason === undefined ? 'matched' : 'skipped',
    skip_reason: skipReason ?? null,
    condition_results: keepResults(event.id, results),
    delivery_id: deliveryId ?? null,
    mails,
    contacts,
  }));
  const values = [accountId, JSON.stringify(rows)];
  if (isLast) defer(insertExecutions, values);
  else await query(insertExecutions, values);
}

/** Characters of one value. A longer list keeps its first items. */
const valueMax = 4000;

/** Characters of the values of one event, over all its rules. */
const eventMax = 50_000;

/** Characters of all events of a transaction: the values, and the rest of each result, which is about a hundred. */
const transactionMax = 5_000_000;
const resultLength = 100;

/** Shortens the results of one evaluation of an event. */
export type KeepResults = (eventId: string, results: readonly ConditionResult[]) => KeptResult[];

/** For the events of one transaction. When their room is used up, an evaluation keeps only its first failed condition. */
export function createKeepResults(): KeepResults {
  const usedByEvent = new Map<string, number>();
  let used = 0;
  const take = (eventId: string, length: number): boolean => {
    const usedByThis = (usedByEvent.get(eventId) ?? 0) + length;
    const fits = usedByThis <= eventMax;
    if (fits) usedByEvent.set(eventId, usedByThis);
    used += resultLength + (fits ? length : 0);
    return fits;
  };
  return (eventId, results) => {
    const firstFailed = results.find(({ passed }) => !passed);
    return results.flatMap((result) => {
      if (used >= transactionMax) return result === firstFailed ? [withoutValues(result)] : [];
      const expected = shorten(result.expected);
      const actual = shorten(result.actual);
      if (!take(eventId, expected.length + actual.length)) return [withoutValues(result)];
      return [{ ...result, expected: expected.value, actual: actual.value }];
    });
  };
}

const withoutValues = (result: ConditionResult): KeptResult => ({ ...result, expected: null, actual: null });

interface Shortened {
  value: unknown;
  length: number;
}

function shorten(value: ConditionResult['expected'] | ConditionResult['actual']): Shortened {
  if (!Array.isArray(value)) return { value, length: lengthOf(value) };
  const items: unknown[] = value;
  let length = 0;
  const end = items.findIndex((item) => (length += lengthOf(item)) > valueMax);
  if (end === -1) return { value, length };
  return { value: items.slice(0, end), length: length - lengthOf(items[end]) };
}

/** About the number of characters of its JSON. */
function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 8;
  return Object.values(value).reduce<number>((sum, one) => sum + lengthOf(one), 0);
}

const executionsMax = 2000;

// Their conditions contain values of the person. Timers and firings have ids only.
const deleteExecutions = statement({
  name: 'automations.delete_executions_of_person',
  text: `
    with found as materialized (
      select f.id from automations.execution f where f.account_id = $1 and f.registration_id = any($2::uuid[]) limit $3
    ), gone as (
      delete from automations.execution e using found where e.account_id = $1 and e.id = found.id returning e.id
    )
    select count(*)::int as count from gone`,
  row: { count: column.integer },
});

export const eraseExecutions: ErasePerson = async ({ query, accountId }, { registrationIds }) => {
  const [gone] = await query(deleteExecutions, [accountId, registrationIds, executionsMax]);
  return gone!.count === executionsMax ? 'more' : null;
};
