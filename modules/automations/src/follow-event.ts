import { createId, type AccountWriter } from '@service/database';
import type { Deliveries } from '@service/deliveries';
import type { AttendeeEvent, OnAttendeeEvents } from '@service/webinars';
import { buildEnvelope } from './envelope.ts';

interface MatchingRule {
  id: string;
  name: string;
  endpoint_id: string;
}

// A rule of a subscription is enabled exactly while the subscription is active, so one look at the rules is enough.
const findRules = `
  select id, name, endpoint_id from automations.rule
  where account_id = ? and webinar_id = ? and trigger_type = ? and enabled
  order by id`;

const insertExecutions = `
  insert into automations.execution
    (account_id, id, webinar_id, rule_id, registration_id, session_id, event_id, event_type, outcome, rule_name, delivery_id)
  select ?, e.id, ?, e.rule_id, ?, ?, ?, ?, 'matched', e.rule_name, e.delivery_id
  from jsonb_to_recordset(?::jsonb) as e (id uuid, rule_id uuid, rule_name text, delivery_id uuid)`;

/** Evaluates the rules of the events' webinar and queues a delivery for each that matches, in the events' transaction. */
export const createEventFollower =
  (deliveries: Pick<Deliveries, 'enqueue'>): OnAttendeeEvents =>
  async (tx, events) => {
    for (const event of events) await followEvent(tx, event, deliveries);
  };

async function followEvent(
  tx: AccountWriter,
  event: AttendeeEvent,
  deliveries: Pick<Deliveries, 'enqueue'>,
): Promise<void> {
  const rules = await tx.em.execute<MatchingRule[]>(findRules, [tx.accountId, event.webinar.id, event.type]);
  if (rules.length === 0) return;
  const body = JSON.stringify(buildEnvelope(event, tx.now));
  const drafts = rules.map((rule) => ({ endpointId: rule.endpoint_id, eventType: event.type, body }));
  const deliveryIds = await deliveries.enqueue(tx, drafts);
  await recordExecutions(tx, event, rules, deliveryIds);
}

async function recordExecutions(
  tx: AccountWriter,
  event: AttendeeEvent,
  rules: readonly MatchingRule[],
  deliveryIds: readonly string[],
): Promise<void> {
  const executions = rules.map((rule, index) => ({
    id: createId(),
    rule_id: rule.id,
    rule_name: rule.name,
    delivery_id: deliveryIds[index],
  }));
  await tx.em.execute(insertExecutions, [
    tx.accountId,
    event.webinar.id,
    event.registration.id,
    event.registration.sessionId,
    event.id,
    event.type,
    JSON.stringify(executions),
  ]);
}
