import { memberQuery, router } from '@service/trpc';
import { histogramOf } from './histogram.ts';
import { listCalls } from './list-calls.ts';
import { listKeys } from './list-keys.ts';
import {
  HistogramInput,
  HistogramOutput,
  ListCallsInput,
  ListCallsOutput,
  ListKeysOutput,
} from './schemas.ts';

export const activityRouter = router({
  /** Newest first; the last 24 hours unless told otherwise. */
  list: memberQuery()
    .input(ListCallsInput)
    .output(ListCallsOutput)
    .query(({ ctx: { reader }, input }) => listCalls(reader, input)),

  /** How many of the calls `list` would give, over time. */
  histogram: memberQuery()
    .input(HistogramInput)
    .output(HistogramOutput)
    .query(async ({ ctx: { reader }, input }) => ({ data: await histogramOf(reader, input) })),

  /** What `keyId` may be. */
  keys: memberQuery()
    .output(ListKeysOutput)
    .query(async ({ ctx: { reader } }) => ({ data: await listKeys(reader) })),
});
