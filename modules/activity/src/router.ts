import { memberQuery, router, scopedQuery } from '@service/trpc';
import { z } from 'zod';
import { histogramOf } from './activity-histogram.ts';
import { listCalls, listKeys } from './list-calls.ts';
import {
  HistogramInput,
  HistogramOutput,
  ListCallsInput,
  ListCallsOutput,
  ListKeysOutput,
} from './schemas.ts';

export const activityRouter = router({
  list: scopedQuery({
    mayBeLate: true,
    scope: 'activity:read',
    rest: 'GET /api-calls',
    tool: 'list_api_calls',
    summary: 'List API calls',
    description:
      'The calls of all keys and connections over REST and MCP, newest first. A failed call has its error code and the paths of ' +
      'the refused fields. Bodies and values are not kept.',
    tag: 'Activity',
  })
    .input(ListCallsInput)
    .output(ListCallsOutput)
    .query(({ ctx: { reader }, input }) => listCalls(reader, input)),

  /** The number of calls that match the filter, over time. */
  histogram: memberQuery({ mayBeLate: true })
    .input(HistogramInput)
    .output(HistogramOutput)
    .query(async ({ ctx: { reader }, input }) => ({ data: await histogramOf(reader, input) })),

  /** The possible values of `keyId`: keys and grants. */
  keys: memberQuery()
    .output(ListKeysOutput)
    .query(async ({ ctx: { reader } }) => ({ data: await listKeys(reader) })),
});

/** The retention of this installation, as the dashboard shows it. The worker's `runMaintenance` applies it. */
export interface RetentionSettings {
  /** For activity, executions and deliveries. */
  retentionDays: number;
  /** For the bodies of deliveries. Undefined: as long as the deliveries. */
  bodyRetentionDays?: number | undefined;
  /** For attendee events. Undefined: they are kept for ever. */
  eventRetentionDays?: number | undefined;
}

const RetentionOutput = z.object({
  data: z.object({
    /** For API activity, executions of rules, deliveries and their attempts. */
    historyDays: z.int(),
    /** For the bodies of deliveries. */
    bodyDays: z.int(),
    /** For timelines, answers, clicks and chat. Null: they are kept for ever. */
    eventDays: z.int().nullable(),
  }),
});

export const createRetentionRouter = ({
  retentionDays,
  bodyRetentionDays = retentionDays,
  eventRetentionDays,
}: RetentionSettings) =>
  router({
    get: memberQuery()
      .output(RetentionOutput)
      .query(() => ({
        data: {
          historyDays: retentionDays,
          bodyDays: Math.min(bodyRetentionDays, retentionDays),
          eventDays: eventRetentionDays ?? null,
        },
      })),
  });
