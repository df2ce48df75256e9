import { createId, type AccountWriter } from '@service/database';
import type { Evaluated } from './hold-conditions.ts';
import type { KeepResults } from './keep-results.ts';

const insertExecutions = {
  name: 'automations.insert_executions',
  text: `
  insert into automations.execution
    (account_id, id, webinar_id, rule_id, rule_name, registration_id, session_id, event_id, event_type, outcome,
     skip_reason, condition_results, delivery_id)
  select $1, id, webinar_id, rule_id, rule_name, registration_id, session_id, event_id, event_type, outcome,
    skip_reason, condition_results, delivery_id
  from jsonb_to_recordset($2::jsonb) as e
    (id uuid, webinar_id uuid, rule_id uuid, rule_name text, registration_id uuid, session_id uuid, event_id uuid,
     event_type text, outcome text, skip_reason text, condition_results jsonb, delivery_id uuid)`,
};

interface RecordOptions {
  keepResults: KeepResults;
  /** Writes with the commit and not at once: cheaper, but all that is written then is in memory together. */
  isLast: boolean;
}

/** Writes what came of each rule that looked at an event. */
export async function recordExecutions(
  { defer, query, accountId }: Pick<AccountWriter, 'defer' | 'query' | 'accountId'>,
  evaluations: readonly (Evaluated & { deliveryId: string | undefined })[],
  { keepResults, isLast }: RecordOptions,
): Promise<void> {
  const rows = evaluations.map(({ rule, event, results, skipReason, deliveryId }) => ({
    id: createId(),
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
  }));
  const values = [accountId, JSON.stringify(rows)];
  if (isLast) defer(insertExecutions, values);
  else await query(insertExecutions, values);
}
