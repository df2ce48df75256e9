import { memberQuery, router } from '@service/trpc';
import { z } from 'zod';

/** The retention of this installation, for people to read. The worker applies it (apps/worker/src/maintain-partitions.ts). */
export interface RetentionSettings {
  /** Of activity, executions and deliveries. */
  retentionDays: number;
  /** Of what attendees did. Undefined: it is kept. */
  eventRetentionDays?: number | undefined;
}

const RetentionOutput = z.object({
  data: z.object({
    /** API activity, executions of rules, deliveries and their attempts. */
    historyDays: z.int(),
    /** Timelines, answers, clicks and chat. Null: kept for ever. */
    eventDays: z.int().nullable(),
  }),
});

export const createRetentionRouter = ({ retentionDays, eventRetentionDays }: RetentionSettings) =>
  router({
    get: memberQuery()
      .output(RetentionOutput)
      .query(() => ({ data: { historyDays: retentionDays, eventDays: eventRetentionDays ?? null } })),
  });
