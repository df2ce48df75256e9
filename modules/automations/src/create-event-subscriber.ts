import { LockMode } from '@mikro-orm/postgresql';
import type { AccountWriter, Database } from '@service/database';
import type { Deliveries } from '@service/deliveries';
import type { Log } from '@service/log';
import type { AttendeeEvent, EventInterest, EventSubscriber } from '@service/attendees';
import { createEvaluation, type CpuClock } from '@service/conditions/budget';
import { cancelRuleMails } from '@service/mails';
import type { SessionSubscriber } from '@service/webinars';
import { Rule, Subscription } from './entities.ts';
import { fireRules } from './evaluation/fire-rules.ts';
import { matchRules } from './evaluation/candidates.ts';
import { createRuleCache, notifyRulesChanged } from './evaluation/rule-cache.ts';
import { isAwaited, loadRulesVersion, type WebinarRules } from './evaluation/webinar-rules.ts';
import { rescheduleSessionTimers, scheduleTimers } from './timer/schedule-timers.ts';

interface SubscriberOptions {
  deliveries: Pick<Deliveries, 'deleteEndpoints' | 'enqueue' | 'requireRoom'>;
  /** The limit of the waiting mails of an account. */
  mailBacklogMax?: number | undefined;
  database: Pick<Database, 'query' | 'connect'>;
  log: Log;
  /** Default: the CPU time of this thread. */
  cpuMs?: CpuClock;
}

/**
 * Evaluates the rules of a webinar for its events and queues deliveries for those that fire, in the events' transaction. Deletes the
 * rules and subscriptions of a deleted webinar. `close` ends the connection that receives notifications of changed rules.
 */
export function createEventSubscriber(
  options: SubscriberOptions,
): EventSubscriber & SessionSubscriber & { close(): Promise<void> } {
  const { deliveries, mailBacklogMax, database, log, cpuMs } = options;
  const cache = createRuleCache({ database, log });
  const match = async (rules: WebinarRules, events: readonly AttendeeEvent[]) => {
    const evaluation = createEvaluation({ cpuMs });
    return { rules, evaluation, candidates: await matchRules(rules, events, evaluation) };
  };
  return {
    async findInterest(tx, webinarId, expected) {
      const { accountId } = tx;
      // Without an `await` for cached rules, so that the version is queried beside the caller's next statements.
      const rules = cache.cached(accountId, webinarId) ?? (await cache.load(accountId, webinarId));
      const { minutes, percents } = rules;
      const version = expected && isAwaited(rules, expected) ? currentVersion(tx, webinarId) : undefined;
      const onEvents: EventInterest['onEvents'] = async (writer, events) => {
        const matched = await match(rules, events);
        if (matched.candidates.length === 0 && !startTimers(rules, events)) return;
        const isCurrent = (await (version ?? currentVersion(writer, webinarId))) === rules.version;
        const current = isCurrent ? matched : await match(await cache.reload(writer, webinarId), events);
        const late = startTimers(current.rules, events)
          ? await scheduleTimers(writer, current.rules.timerRules, events)
          : [];
        const { evaluation, candidates } = current;
        await fireRules(writer, { deliveries, mailBacklogMax, evaluation }, [...candidates, ...late]);
      };
      return { minutes, percents, onEvents };
    },
    requireRoom: (tx) => deliveries.requireRoom(tx),
    onSessions: rescheduleSessionTimers,
    onWebinarDeleted: (tx, webinarId) => deleteRulesOfWebinar(tx, deliveries, webinarId),
    close: () => cache.close(),
  };
}

/** True if one of these events starts a timer. */
const startTimers = ({ timerEvents }: WebinarRules, events: readonly AttendeeEvent[]): boolean =>
  events.some(({ type }) => timerEvents.has(type));

/** The version of the rules as this transaction sees it. If its result is never awaited, a failure is not reported. */
function currentVersion({ query, accountId }: AccountWriter, webinarId: string): Promise<number> {
  const version = loadRulesVersion(query, { accountId, webinarId });
  version.catch(() => undefined);
  return version;
}

/**
 * Deletes the rules and subscriptions of a deleted webinar in its transaction. Their waiting mails and deliveries are cancelled. A timer
 * without a rule fires nothing and is deleted when it is due, because a webinar can have millions.
 */
async function deleteRulesOfWebinar(
  tx: AccountWriter,
  deliveries: Pick<Deliveries, 'deleteEndpoints'>,
  webinarId: string,
): Promise<void> {
  const where = { accountId: tx.accountId, webinarId };
  // Subscriptions first, as in every change of one.
  const options = { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { id: 'asc' } } as const;
  const subscriptions = await tx.em.find(Subscription, where, options);
  const rules = await tx.em.find(Rule, where, options);
  if (subscriptions.length + rules.length === 0) return;
  await tx.em.nativeDelete(Rule, where);
  await tx.em.nativeDelete(Subscription, where);
  notifyRulesChanged(tx, webinarId);
  const emails = rules.flatMap((rule) => rule.emails);
  await cancelRuleMails(
    tx,
    emails.map(({ id }) => id),
  );
  const endpointIds = [...subscriptions, ...rules].flatMap(({ endpointId }) => endpointId ?? []);
  await deliveries.deleteEndpoints(tx, [...new Set(endpointIds)]);
}
