import { createId, type AccountWriter } from '@service/database';
import type { Deliveries } from '@service/deliveries';
import {
  evaluateConditions,
  factsOf,
  type AttendeeEvent,
  type Condition,
  type ConditionResult,
  type EventFollower,
} from '@service/webinars';
import { buildEnvelope } from '../event/envelope.ts';

interface ListeningRule {
  id: string;
  name: string;
  endpoint_id: string;
  trigger_type: string;
  conditions: Condition[];
}

/** What one rule made of one event. */
interface Evaluation {
  event: AttendeeEvent;
  rule: ListeningRule;
  results: ConditionResult[];
  matched: boolean;
}

/**
 * Evaluates the rules of the events' webinar and queues a delivery for each that matches, in the events' transaction.
 * Three statements at most, however many events and rules there are.
 */
export const createEventFollower = (deliveries: Pick<Deliveries, 'enqueue'>): EventFollower => ({
  listen: async () => ({
    minutes: [],
    percents: [],
    tell: async (tx, events) => {
      const evaluations = evaluate(events, await findListeningRules(tx, events));
      if (evaluations.length === 0) return;
      const matches = evaluations.filter(({ matched }) => matched);
      const bodyOf = bodyBuilder(tx.now);
      const drafts = matches.map(({ event, rule }) => ({
        endpointId: rule.endpoint_id,
        eventType: event.type,
        body: bodyOf(event),
      }));
      const deliveryIds = await deliveries.enqueue(tx, drafts);
      const deliveryIdByMatch = new Map(matches.map((match, index) => [match, deliveryIds[index]]));
      recordExecutions(tx, evaluations, deliveryIdByMatch);
    },
  }),
  onSessions: async () => undefined,
});

// A rule of a subscription is enabled exactly while the subscription is active, so one look at the rules is enough.
const selectRules = {
  name: 'automations.select_rules',
  text: `
    select id, name, endpoint_id, trigger_type, conditions from automations.rule
    where account_id = $1 and webinar_id = $2 and trigger_type = any($3) and enabled
    order by id`,
};

async function findListeningRules(
  { query, accountId }: AccountWriter,
  events: readonly AttendeeEvent[],
): Promise<ListeningRule[]> {
  const [first] = events;
  if (!first) return [];
  const types = [...new Set(events.map((event) => event.type))];
  return query<ListeningRule>(selectRules, [accountId, first.webinar.id, types]);
}

const evaluate = (events: readonly AttendeeEvent[], rules: readonly ListeningRule[]): Evaluation[] =>
  events.flatMap((event) =>
    rules
      .filter((rule) => rule.trigger_type === event.type)
      .map((rule) => {
        const results =
          rule.conditions.length === 0 ? [] : evaluateConditions(rule.conditions, factsOf(event));
        return { event, rule, results, matched: results.every((result) => result.passed) };
      }),
  );

/** Each event's body is built once, whoever gets it. */
function bodyBuilder(builtAt: Date): (event: AttendeeEvent) => string {
  const bodies = new Map<AttendeeEvent, string>();
  return (event) => {
    const body = bodies.get(event) ?? JSON.stringify(buildEnvelope(event, builtAt));
    bodies.set(event, body);
    return body;
  };
}

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

function recordExecutions(
  { defer, accountId }: AccountWriter,
  evaluations: readonly Evaluation[],
  deliveryIdByMatch: ReadonlyMap<Evaluation, string | undefined>,
): void {
  const rows = evaluations.map((evaluation) => {
    const { event, rule, results, matched } = evaluation;
    return {
      id: createId(),
      webinar_id: event.webinar.id,
      rule_id: rule.id,
      rule_name: rule.name,
      registration_id: event.registration.id,
      session_id: event.registration.sessionId,
      event_id: event.id,
      event_type: event.type,
      outcome: matched ? 'matched' : 'skipped',
      skip_reason: matched ? null : 'condition_not_met',
      condition_results: results,
      delivery_id: deliveryIdByMatch.get(evaluation) ?? null,
    };
  });
  defer(insertExecutions, [accountId, JSON.stringify(rows)]);
}
