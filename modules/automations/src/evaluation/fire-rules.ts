import {
  column,
  createId,
  createOldRowsDeleter,
  nextTurn,
  queryOn,
  statement,
  type AccountWriter,
  type Database,
  type RowsOf,
} from '@service/database';
import type { Deliveries } from '@service/deliveries';
import { queueRuleChanges } from '@service/contacts';
import { queueRuleMails } from '@service/mails';
import type { Evaluation } from '@service/conditions/budget';
import { buildEnvelope, type TriggeredEvent } from '../event-type/envelope.ts';
import { eventTypes } from '../event-type/event-types.ts';
import type { QueuedMail } from '../entities.ts';
import { evaluateCandidates, type Candidate, type Evaluated } from './candidates.ts';
import { createKeepResults, recordExecutions } from '../execution/record-executions.ts';

interface FireOptions {
  deliveries: Pick<Deliveries, 'enqueue'>;
  /** The limit of the waiting mails of an account. */
  mailBacklogMax?: number | undefined;
  evaluation: Evaluation;
}

/** Candidates that one statement writes. A batch of 500 registrations may have 100,000, which are 100 MB. */
const writtenMax = 1000;

/** The actions of a rule that fires which update contacts. */
const contactsOf = ({ rule, skipReason }: Evaluated) => (skipReason === undefined ? rule.integrations : []);

/** CPU time that this takes. */
const writtenCpuMs = 20;

/**
 * Queues the actions of each rule whose conditions are met and that has not fired for the same subject, and records an execution
 * for every candidate, in the events' transaction. A skipped rule takes no key, so that it can fire later. Each thousand
 * candidates take the same few statements.
 */
export async function fireRules(
  tx: AccountWriter,
  { deliveries, mailBacklogMax, evaluation }: FireOptions,
  candidates: readonly Candidate[],
): Promise<void> {
  if (candidates.length === 0) return;
  const evaluated = await claimFirings(tx, await evaluateCandidates(tx, candidates, evaluation));
  const bodyOf = bodyBuilder(tx.now);
  const keepResults = createKeepResults();
  for (let start = 0; start < evaluated.length; start += writtenMax) {
    const part = evaluated.slice(start, start + writtenMax);
    const isLast = start + writtenMax >= evaluated.length;
    const deliveryIds = await enqueueFiring(tx, { deliveries, bodyOf }, part);
    const mails = await queueMailsOf(tx, part, mailBacklogMax);
    const executions = part.map((one) => ({
      ...one,
      id: createId(),
      contacts: contactsOf(one).map(({ id: actionId, connectionId }) => ({ actionId, connectionId })),
      deliveryId: deliveryIds.get(one),
      mails: mails.get(one) ?? [],
    }));
    queueRuleChanges(
      tx,
      executions.flatMap((one) =>
        contactsOf(one).map((contact) => ({ contact, event: one.event, executionId: one.id })),
      ),
    );
    await recordExecutions(tx, executions, { keepResults, isLast });
    if (!isLast) await nextTurn(writtenCpuMs);
  }
}

// Every transaction inserts in the same order, so that no two of them deadlock. The second one waits until the first has ended:
// after a rollback the key is free again.
const insertFirings = statement({
  name: 'automations.insert_firings',
  text: `
    insert into automations.firing (account_id, rule_id, registration_id, session_id, subject, fired_at)
    select $1, rule_id, registration_id, session_id, subject, $3
    from json_to_recordset($2::json) as f (rule_id uuid, registration_id uuid, session_id uuid, subject text)
    order by rule_id, registration_id, session_id, subject
    on conflict do nothing
    returning rule_id, registration_id, session_id, subject`,
  row: {
    rule_id: column.id,
    registration_id: column.id,
    session_id: column.id,
    subject: column.text,
  },
});

type FiringRow = RowsOf<typeof insertFirings>;

/**
 * Writes the keys of the rules that are about to fire. A rule whose key exists already, from an earlier transaction or from an
 * earlier event of this one, is returned with the reason `already_fired`.
 */
async function claimFirings(
  { query, accountId, now }: Pick<AccountWriter, 'query' | 'accountId' | 'now'>,
  evaluated: readonly Evaluated[],
): Promise<Evaluated[]> {
  const firstByKey = new Map<string, Evaluated>();
  for (const one of evaluated.filter(needsKey)) {
    const key = keyOf(firingOf(one));
    if (!firstByKey.has(key)) firstByKey.set(key, one);
  }
  if (firstByKey.size === 0) return [...evaluated];
  const values = [accountId, JSON.stringify([...firstByKey.values()].map(firingOf)), now];
  const inserted = await query(insertFirings, values);
  const firing = new Set(inserted.map((row) => firstByKey.get(keyOf(row))));
  return evaluated.map((one) =>
    needsKey(one) && !firing.has(one) ? { ...one, skipReason: 'already_fired' } : one,
  );
}

/** `registered` comes once for each registration, so it needs no key. */
const needsKey = ({ event, skipReason }: Evaluated): boolean =>
  skipReason === undefined && event.type !== 'registered';

const firingOf = ({ rule, event: { id, type, data, registration } }: Evaluated): FiringRow => ({
  rule_id: rule.id,
  registration_id: registration.id,
  session_id: registration.sessionId,
  subject: eventTypes[type].subject({ id, data, isEveryMatch: rule.fireMode === 'every_match' }),
});

const keyOf = (row: FiringRow): string =>
  [row.rule_id, row.registration_id, row.session_id, row.subject].join(' ');

interface EnqueueOptions {
  deliveries: Pick<Deliveries, 'enqueue'>;
  bodyOf: (event: TriggeredEvent) => string;
}

/** Queues the deliveries of the rules that fire. */
async function enqueueFiring(
  tx: AccountWriter,
  { deliveries, bodyOf }: EnqueueOptions,
  evaluated: readonly Evaluated[],
): Promise<Map<Evaluated, string | undefined>> {
  const firing = evaluated.flatMap((one) => {
    const { rule, event, skipReason } = one;
    if (skipReason !== undefined || rule.endpointId === null) return [];
    const { endpointId } = rule;
    const registrationId = event.registration.id;
    return [{ one, draft: { endpointId, eventType: event.type, body: bodyOf(event), registrationId } }];
  });
  const drafts = firing.map(({ draft }) => draft);
  const ids = drafts.length === 0 ? [] : await deliveries.enqueue(tx, drafts);
  return new Map(firing.map(({ one }, index) => [one, ids[index]]));
}

const hourMs = 3_600_000;

/** The longest waits of mails for a sender. An offer of yesterday annoys people. */
const mailWaitMaxMs = { service: 72 * hourMs, marketing: 24 * hourMs };

/** A mail before the session still helps somebody who is late. */
const lateMs = 600_000;

/** Queues the mails of the rules that fire. */
async function queueMailsOf(
  tx: AccountWriter,
  evaluated: readonly Evaluated[],
  backlogMax: number | undefined,
): Promise<Map<Evaluated, QueuedMail[]>> {
  const firing = evaluated
    .filter(({ skipReason }) => skipReason === undefined)
    .flatMap((one) => one.rule.emails.map((email) => ({ one, email })));
  const mails = await queueRuleMails(
    tx,
    firing.map(({ one: { rule, event }, email: { id: actionId, to, purpose } }) => ({
      rule: { id: rule.id, name: rule.name },
      actionId,
      generation: rule.generation,
      to,
      purpose,
      registration: event.registration,
      expiresAt:
        event.type === 'before_session'
          ? new Date(event.session.startsAt.getTime() + lateMs)
          : new Date(tx.now.getTime() + mailWaitMaxMs[purpose]),
    })),
    backlogMax,
  );
  const queued = firing.map(({ one, email }, index) => ({
    one,
    mail: { actionId: email.id, ...mails[index]! },
  }));
  return new Map(
    [...Map.groupBy(queued, ({ one }) => one)].map(([one, own]) => [one, own.map(({ mail }) => mail)]),
  );
}

/** Builds the body of each event once, however many endpoints receive it. */
function bodyBuilder(builtAt: Date): (event: TriggeredEvent) => string {
  const bodies = new Map<TriggeredEvent, string>();
  return (event) => {
    const body = bodies.get(event) ?? JSON.stringify(buildEnvelope(event, builtAt));
    bodies.set(event, body);
    return body;
  };
}

const deleteOld = createOldRowsDeleter({
  table: 'automations.firing',
  time: 'fired_at',
});

/**
 * Deletes keys of all accounts that fired before a time, in batches: those of the oldest two days at most. Returns their number.
 * A rule can fire again for a deleted key, so `before` must be so long ago that its session can have no more events.
 */
export const deleteFiringsBefore = (
  pool: Database['pool'],
  before: Date,
  batchMax?: number,
): Promise<number> => deleteOld(queryOn(pool), { before, batchMax });
