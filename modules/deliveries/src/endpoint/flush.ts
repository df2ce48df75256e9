import { defineEntity, p } from '@mikro-orm/postgresql';
import { column, idTime, nullable, statement, type AccountQueries } from '@service/database';
import { id, instant } from '@service/trpc';
import { z } from 'zod';
import { isFree } from '../due.ts';

export const flushStates = ['running', 'done', 'cancelled'] as const;

export type FlushState = (typeof flushStates)[number];

/**
 * The last run that sends everything that waits for an endpoint. Workers advance it (`send-waiting.ts`): they park what waits
 * for a later try, and the drain of the endpoint releases it.
 */
export const Flush = defineEntity({
  name: 'Flush',
  tableName: 'flush',
  schema: 'deliveries',
  indexes: [{ name: 'flush_next_index', properties: ['nextAt'], where: `state = 'running'` }],
  properties: {
    accountId: p.uuid().primary(),
    endpointId: p.uuid().primary(),
    /** A new one for each run. Deliveries with a lower id belong to the run. */
    id: p.uuid(),
    state: p.enum(flushStates),
    /** Deliveries that waited at the start. */
    total: p.integer(),
    /** Deliveries that were due before this time are parked. */
    parkedUntil: p.datetime(6),
    /** Everything that waited at the start is parked or was released. */
    isParked: p.boolean(),
    /** A person has stopped it. It runs until everything that it parked waits for its own time again. */
    isStopping: p.boolean().default(false),
    /** The time of the next step, by the database's clock. */
    nextAt: p.datetime(6),
    startedAt: p.datetime(3),
    finishedAt: p.datetime(3).nullable(),
  },
});

/** Counts of waiting deliveries end here. */
const waitingCountMax = 100_000;

const FlushOutput = z
  .object({
    id: id('run'),
    state: z.enum(flushStates).meta({
      id: 'FlushState',
      description: '`running` until everything was sent, then `done`, or `cancelled` if it was stopped.',
    }),
    total: z.int().describe('Deliveries that waited when the run was started, up to 100,000.'),
    left: z
      .int()
      .describe('Deliveries of the run that still wait for their turn, up to 100,000. 0 when it has ended.'),
    isStopping: z.boolean().describe('True while the rest of a stopped run is given its own time again.'),
    startedAt: instant(),
    finishedAt: instant().nullable().describe('The time at which the run ended. Null while it runs.'),
  })
  .meta({ id: 'Flush', description: 'A run that sends everything that waits.' });

export const WaitingOutput = z
  .object({
    count: z
      .int()
      .describe(
        'Deliveries that wait for a later try, or for a paused or halted endpoint. Counting ends after 100,000.',
      ),
    oldestAt: instant().nullable().describe('Creation time of the oldest of them. Null when none waits.'),
    nextAttemptAt: instant()
      .nullable()
      .describe(
        'Time of the next try of one of them. Null when all of them wait for a paused or halted endpoint.',
      ),
    flush: FlushOutput.nullable().describe(
      'The last run that sent everything that waited. Null before the first.',
    ),
  })
  .meta({
    id: 'Waiting',
    examples: [
      {
        count: 1183,
        oldestAt: '2026-11-20T09:00:00.000Z',
        nextAttemptAt: null,
        flush: {
          id: '019aa2f4-6d1e-7c0b-a1d7-52c9f3b86e40',
          state: 'running',
          total: 1200,
          left: 1183,
          isStopping: false,
          startedAt: '2026-11-20T12:30:00.000Z',
          finishedAt: null,
        },
      },
    ],
  });

export type WaitingOutput = z.infer<typeof WaitingOutput>;

/** Counts what waits for an endpoint. */
export async function countWaiting(
  { query, accountId }: AccountQueries,
  endpointId: string,
): Promise<number> {
  const [counted] = await query(selectCount, [accountId, endpointId]);
  return counted!.count;
}

/** Counts what waits for an endpoint, and reads the last run that sent it. */
export async function readWaiting(
  { query, accountId }: AccountQueries,
  endpointId: string,
): Promise<WaitingOutput> {
  const [row] = await query(selectWaiting, [accountId, endpointId]);
  const { count, oldestId, nextAttemptAt, id, state, isStopping, total, startedAt, finishedAt, left } = row!;
  return {
    count,
    oldestAt: oldestId === null ? null : idTime(oldestId).toISOString(),
    nextAttemptAt: nextAttemptAt?.toISOString() ?? null,
    flush:
      id === null
        ? null
        : {
            id,
            state: state!,
            total: total!,
            left,
            isStopping: isStopping!,
            startedAt: startedAt!.toISOString(),
            finishedAt: finishedAt?.toISOString() ?? null,
          },
  };
}

// These have no name, so that they are planned for the current queue.

/** $1 account, $2 endpoint. */
const waiting = `
  select delivery_id, due_at from deliveries.due
  where account_id = $1 and endpoint_id = $2 and due_at > now() and ${isFree}
  order by due_at limit ${waitingCountMax}`;

/** $1 account, $2 endpoint. */
const selectCount = statement({
  text: `select count(*)::integer as count from (${waiting}) waiting`,
  row: { count: column.integer },
});

/** $1 account, $2 endpoint. One row: what waits, and the last flush with what is left of it. */
const selectWaiting = statement({
  text: `
    with waiting as materialized (${waiting}),
    flush as materialized (select * from deliveries.flush where account_id = $1 and endpoint_id = $2)
    select (select count(*)::integer from waiting) as count,
      (select delivery_id from waiting order by delivery_id limit 1) as "oldestId",
      (select due_at from waiting where due_at < 'infinity' order by due_at limit 1) as "nextAttemptAt",
      flush.id, flush.state, flush.is_stopping as "isStopping", flush.total, flush.started_at as "startedAt", flush.finished_at as "finishedAt",
      (select count(*)::integer from waiting
       where flush.state = 'running' and delivery_id < flush.id
         and (due_at = 'infinity' or (not flush.is_parked and due_at >= flush.parked_until))) as "left"
    from (select) one left join flush on true`,
  row: {
    count: column.integer,
    oldestId: nullable(column.id),
    nextAttemptAt: nullable(column.time),
    id: nullable(column.id),
    state: nullable(column.textOf<FlushState>()),
    isStopping: nullable(column.boolean),
    total: nullable(column.integer),
    startedAt: nullable(column.time),
    finishedAt: nullable(column.time),
    left: column.integer,
  },
});
