import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import { instant } from '@service/trpc';
import { z } from 'zod';

export const flushStates = ['running', 'done', 'cancelled'] as const;

/**
 * The last run that sends everything that waits for an endpoint. Workers advance it (`advance-flushes.ts`): they park what waits
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

export type Flush = InferEntity<typeof Flush>;

/** Counts of waiting deliveries end here. */
export const waitingCountMax = 100_000;

const FlushOutput = z
  .object({
    id: z.uuid(),
    state: z.enum(flushStates).meta({ id: 'FlushState' }),
    total: z.number().int().describe('Deliveries that waited when the run was started, up to 100,000.'),
    left: z
      .number()
      .int()
      .describe('Deliveries of the run that still wait for their turn, up to 100,000. 0 when it has ended.'),
    isStopping: z.boolean().describe('True while the rest of a stopped run is given its own time again.'),
    startedAt: instant(),
    finishedAt: instant().nullable(),
  })
  .meta({ id: 'Flush', description: 'A run that sends everything that waits.' });

export const WaitingOutput = z
  .object({
    count: z
      .number()
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
