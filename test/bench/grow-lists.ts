import type { Database } from '@service/database';
import type { DeliveryPage } from '@service/deliveries';
import { measureRounds } from './bench.ts';
import type { DeliveryBenchWorld } from './delivery-bench-world.ts';
import type { FilledHistories } from './grow-histories.ts';
import type { FilledDeliveries } from './grow-rows.ts';
import { median } from './median.ts';
import { mediansOf } from './report.ts';

export interface Filled extends FilledDeliveries {
  world: DeliveryBenchWorld;
}

export interface ListFigures {
  name: string;
  /** Median milliseconds of a page of 25. */
  emptyMs: number;
  grownMs: number;
  /** Pages per second, divided by pages per second with little history. */
  ratio: number;
  /** Pages of 8 kB that Postgres reads for it. Undefined on a server that is not ours. */
  emptyBuffers: number | undefined;
  grownBuffers: number | undefined;
}

type List = (filled: Filled) => Promise<DeliveryPage>;

const callsPerRound = 30;
const limit = 25;

const busy =
  (filters: object): List =>
  ({ world, accountId, busyEndpointId: endpointId }) =>
    world.deliveries.list(world.reader(accountId), { endpointId, limit, ...filters });

const lists: Record<string, List> = {
  'first page': busy({}),
  'one event type': busy({ eventType: 'attended' }),
  'status success': busy({ status: 'success' }),
  'status failure': busy({ status: 'failure' }),
  'status queued, none is': busy({ status: 'queued' }),
  'first page of a quiet endpoint': ({ world, accountId, quietEndpointId: endpointId }) =>
    world.deliveries.list(world.reader(accountId), { endpointId, limit }),
};

const eventLists: Record<string, (filled: FilledHistories) => Promise<unknown>> = {
  'timeline of a new registration': ({ procedures, webinarId, newRegistrationId: registrationId }) =>
    procedures.registrations.events({ webinarId, registrationId, limit }),
  'timeline of the first month': ({ procedures, webinarId, oldRegistrationId: registrationId }) =>
    procedures.registrations.events({ webinarId, registrationId, limit }),
  'clicks on an old offer': ({ procedures, webinarId, interactionId }) =>
    procedures.responses.list({ webinarId, interactionId, limit }),
  'stats of an old offer': ({ procedures, webinarId, interactionId }) =>
    procedures.responses.stats({ webinarId, interactionId }),
  'stats of all interactions': ({ procedures, webinarId }) => procedures.responses.counts({ webinarId }),
  'registrations of a webinar': ({ procedures, webinarId }) =>
    procedures.registrations.list({ webinarId, limit }),
  'registrations of a session by status': ({ procedures, webinarId, sessionId }) =>
    procedures.registrations.sessionCounts({ webinarId, sessionIds: [sessionId] }),
  people: ({ procedures }) => procedures.people.list({ limit }),
  'sessions of a webinar': ({ procedures, webinarId }) =>
    procedures.sessions.listByStart({ webinarId, when: 'upcoming', limit }),
  'webinars, with their next session': ({ procedures }) => procedures.webinars.list({ limit }),
  'executions of a webinar': ({ procedures, webinarId }) =>
    procedures.automations.executions({ webinarId, limit }),
  'skipped executions of a webinar': ({ procedures, webinarId }) =>
    procedures.automations.executions({ webinarId, outcome: 'skipped', limit }),
  'executions of a rule': ({ procedures, webinarId, ruleId }) =>
    procedures.automations.ruleExecutions({ webinarId, ruleId, limit }),
  'rules, with their last firing': ({ procedures, webinarId }) =>
    procedures.automations.rules.list({ webinarId, limit }),
  'calls in Activity': ({ procedures }) => procedures.activity.list({ limit }),
  'failed calls in Activity': ({ procedures }) => procedures.activity.list({ status: 'failure', limit }),
  'purchases and refunds': ({ procedures }) => procedures.revenue.list({ limit }),
  'refused events of payment providers': ({ procedures }) =>
    procedures.revenueSources.refusedEvents.list({ limit }),
  'mails of a registration': ({ procedures, webinarId, oldRegistrationId: registrationId }) =>
    procedures.mails.ofRegistration({ webinarId, registrationId, limit }),
  'suppressed addresses': ({ procedures }) => procedures.suppressions.list({ limit }),
  'suppressed addresses, one is found': ({ procedures }) =>
    procedures.suppressions.list({ q: 'person-0123', limit }),
  'sends to a marketing tool': ({ procedures, connectionId }) =>
    procedures.contacts.listSends({ connectionId, limit }),
  'sends about a person': ({ procedures, webinarId, newRegistrationId: registrationId }) =>
    procedures.contacts.ofRegistration({ webinarId, registrationId, limit }),
  'audit log': ({ procedures }) => procedures.accounts.changes.list({ limit }),
};

interface Measured<From> {
  empty: From;
  grown: From;
  rounds: number;
  pool: Database['pool'];
}

export const measureDeliveryLists = (measured: Measured<Filled>): Promise<ListFigures[]> =>
  measureLists(lists, measured);

export const measureEventLists = (measured: Measured<FilledHistories>): Promise<ListFigures[]> =>
  measureLists(eventLists, measured);

/** The same pages, now of the one and now of the other. */
async function measureLists<From>(
  lists: Record<string, (filled: From) => Promise<unknown>>,
  { empty, grown, rounds, pool }: Measured<From>,
): Promise<ListFigures[]> {
  const countBuffers = await openBufferCount(pool);
  const figures: ListFigures[] = [];
  for (const [name, list] of Object.entries(lists)) {
    const measured = await measureRounds(rounds, async () => {
      const [emptyMs, grownMs] = [await medianOf(() => list(empty)), await medianOf(() => list(grown))];
      return { emptyMs, grownMs, ratio: emptyMs / grownMs };
    });
    const emptyBuffers = await countBuffers?.(() => list(empty));
    const grownBuffers = await countBuffers?.(() => list(grown));
    figures.push({ name, ...mediansOf(measured), emptyBuffers, grownBuffers });
  }
  return figures;
}

type CountBuffers = (work: () => Promise<unknown>) => Promise<number>;

/** Counts for all databases of the server. Undefined on a server that is not ours. */
async function openBufferCount(pool: Database['pool']): Promise<CountBuffers | undefined> {
  if (process.env['DATABASE_URL'] !== undefined) return undefined;
  await pool.query('create extension if not exists pg_stat_statements');
  await pool.query('alter system reset pg_stat_statements.track');
  await pool.query('select pg_reload_conf()');
  return async (work) => {
    await pool.query('select pg_stat_statements_reset()');
    await work();
    const { rows } = await pool.query<{ buffers: number }>(
      'select sum(shared_blks_hit + shared_blks_read)::int as buffers from pg_stat_statements',
    );
    return rows[0]!.buffers;
  };
}

async function medianOf(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let call = 0; call < callsPerRound; call += 1) {
    const startedAt = performance.now();
    await work();
    times.push(performance.now() - startedAt);
  }
  return median(times);
}
