import type { AccountWriter, Database } from '@service/database';
import type { Deliveries } from '@service/deliveries';
import type { Log } from '@service/log';
import type { AttendeeEvent, EventSubscriber, EventInterest } from '@service/attendees';
import { createEvaluation, type CpuClock, type Evaluation, type SessionSubscriber } from '@service/webinars';
import { followRuleChanges } from '../rule/follow-rule-changes.ts';
import { rulesKey } from '../rule/note-rules-changed.ts';
import { createRuleCache, type RuleCache } from '../rule/rule-cache.ts';
import {
  areWaitedFor,
  readRulesVersion,
  readWebinarRules,
  type WebinarRules,
} from '../rule/webinar-rules.ts';
import { followSessions } from '../timer/follow-sessions.ts';
import { scheduleTimers } from '../timer/schedule-timers.ts';
import { decide, type Decision } from './decide.ts';
import { matchRules } from './match-rules.ts';

interface SubscriberOptions {
  deliveries: Pick<Deliveries, 'enqueue'>;
  database: Pick<Database, 'query' | 'connect'>;
  log: Log;
  /** By default the CPU time of this thread. */
  cpuMs?: CpuClock;
}

/**
 * Holds events against the rules of their webinar and queues deliveries for those that match, in the events' transaction.
 * Rules are remembered (see rule-cache.ts); `close` ends the connection that hears of their changes.
 */
export function createEventSubscriber(
  options: SubscriberOptions,
): EventSubscriber & SessionSubscriber & { close(): Promise<void> } {
  const { deliveries, database, log, cpuMs } = options;
  const cache = createRuleCache(database.query);
  const changes = followRuleChanges({
    database,
    onChange: (key) => cache.forget(key),
    onConnected: () => cache.doubtAll(),
    log,
  });
  const look = async (rules: WebinarRules, events: readonly AttendeeEvent[]): Promise<Looked> => {
    const evaluation = createEvaluation({ cpuMs });
    return { rules, evaluation, matched: await matchRules(rules, events, evaluation) };
  };
  return {
    async findInterest(tx, webinarId, expected) {
      changes.start();
      const { accountId } = tx;
      const known = changes.isListening() ? cache.recent(accountId, webinarId) : undefined;
      const rules = known ?? (await cache.ask(accountId, webinarId));
      const { minutes, percents } = rules;
      const version = expected && areWaitedFor(rules, expected) ? askVersion(tx, webinarId) : undefined;
      const onEvents: EventInterest['onEvents'] = async (writer, events) => {
        const looked = await look(rules, events);
        if (looked.matched.length === 0 && !areTimed(rules, events)) {
          writer.charge(looked.evaluation.usedMs());
          return;
        }
        const now = await (version ?? askVersion(writer, webinarId));
        const isCurrent = now === rules.version;
        const current = isCurrent ? looked : await look(await readAnew(writer, webinarId, cache), events);
        await act(writer, deliveries, { ...current, events });
        writer.charge(current.evaluation.usedMs());
      };
      return { minutes, percents, onEvents };
    },
    onSessions: followSessions,
    close: () => changes.close(),
  };
}

/** True if any rule has a timer that waits for one of these events. */
const areTimed = ({ timerEvents }: WebinarRules, events: readonly AttendeeEvent[]): boolean =>
  events.some(({ type }) => timerEvents.has(type));

/** The version that counts: as this transaction sees it. Sent at once; whoever never waits for it hears of no failure. */
function askVersion({ query, accountId }: AccountWriter, webinarId: string): Promise<number> {
  const version = readRulesVersion(query, { accountId, webinarId });
  version.catch(() => undefined);
  return version;
}

/** What was remembered is not true any more. */
function readAnew(
  { query, accountId }: AccountWriter,
  webinarId: string,
  cache: RuleCache,
): Promise<WebinarRules> {
  cache.forget(rulesKey(accountId, webinarId));
  return readWebinarRules(query, { accountId, webinarId });
}

/** Rules, and those of them that look at the events. */
interface Looked {
  rules: WebinarRules;
  evaluation: Evaluation;
  matched: readonly Decision[];
}

/** Starts timers, and fires or skips what waits for the events themselves. */
async function act(
  tx: AccountWriter,
  deliveries: Pick<Deliveries, 'enqueue'>,
  { rules, evaluation, matched, events }: Looked & { events: readonly AttendeeEvent[] },
): Promise<void> {
  const late = areTimed(rules, events) ? await scheduleTimers(tx, rules.timed, events) : [];
  await decide(tx, { deliveries, evaluation }, [...matched, ...late]);
}
