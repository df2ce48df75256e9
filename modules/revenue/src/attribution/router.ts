import type { AccountReader } from '@service/database';
import { dataOf, id, memberQuery, ownerMutation, router } from '@service/trpc';
import { attributionWindows } from '@service/webinars';
import { z } from 'zod';
import { CreditRunOutput, readCreditRun, startCreditRun } from './credit-run.ts';
import { previewWindow, WindowPreviewOutput } from './preview-window.ts';
import { defaultWindow, storeDefaultWindow } from './windows.ts';

const windowDays = z.literal(attributionWindows);

const WindowOutput = z.object({
  /** Of the workspace. */
  windowDays,
  choices: z.array(windowDays),
  /** The last run that derived credits again. Null before the first. */
  run: CreditRunOutput,
});

const PreviewInput = z.union([
  z.strictObject({ windowDays }),
  z.strictObject({ webinarId: id('webinar'), windowDays: windowDays.nullable() }),
]);

/** The attribution window of the workspace, for the dashboard. */
export const revenueWindowRouter = router({
  get: memberQuery()
    .output(dataOf(WindowOutput))
    .query(async ({ ctx: { reader } }) => ({ data: await readWindow(reader) })),

  /** The purchases that would get another credit with another window of the workspace or of one webinar. Changes nothing. */
  preview: memberQuery()
    .input(PreviewInput)
    .output(dataOf(WindowPreviewOutput))
    .query(async ({ ctx: { reader }, input }) => ({ data: await previewWindow(reader, input) })),

  /** Changes the window of the workspace, and has all credits derived again in the background. The same window changes nothing. */
  change: ownerMutation()
    .input(z.strictObject({ windowDays }))
    .output(dataOf(WindowOutput))
    .mutation(({ ctx, input }) =>
      ctx.transaction(async (tx) => {
        if ((await defaultWindow(tx)) !== input.windowDays) {
          await storeDefaultWindow(tx, input.windowDays);
          await startCreditRun(tx);
        }
        return { data: await readWindow(tx) };
      }),
    ),

  progress: memberQuery()
    .output(dataOf(CreditRunOutput))
    .query(async ({ ctx: { reader } }) => ({ data: await readCreditRun(reader) })),
});

const readWindow = async (reader: Pick<AccountReader, 'query' | 'accountId'>) => ({
  windowDays: await defaultWindow(reader),
  choices: [...attributionWindows],
  run: await readCreditRun(reader),
});
