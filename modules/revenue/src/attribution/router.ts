import type { AccountQueries } from '@service/database';
import { dataOf, id, memberQuery, ownerMutation, router, scopedQuery } from '@service/trpc';
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

const ReadInput = z.strictObject({
  preview: z
    .int()
    .refine(
      (days) => attributionWindows.some((known) => known === days),
      `One of ${attributionWindows.join(', ')}.`,
    )
    .describe('Also answers which credits this window would move, in days. Changes nothing.')
    .optional(),
  webinarId: id('webinar')
    .describe('The window of this webinar in `preview`. Default: of the workspace.')
    .optional(),
});

const ReadOutput = z
  .object({
    windowDays: z.int().describe('The window of the workspace, in days. A webinar can have its own.'),
    run: CreditRunOutput.describe(
      'The last run that attributed all purchases again after a change of a window. Null before the first.',
    ),
    preview: WindowPreviewOutput.nullable().describe('Null without `preview`.'),
  })
  .meta({ id: 'RevenueWindow' });

const PreviewInput = z.union([
  z.strictObject({ windowDays }),
  z.strictObject({ webinarId: id('webinar'), windowDays: windowDays.nullable() }),
]);

/** The attribution window of the workspace, for the dashboard. */
export const revenueWindowRouter = router({
  get: memberQuery()
    .output(dataOf(WindowOutput))
    .query(async ({ ctx: { reader } }) => ({ data: await readWindow(reader) })),

  read: scopedQuery({
    scope: 'revenue:read',
    rest: 'GET /revenue/window',
    operationId: 'getRevenueWindow',
    summary: 'Get the attribution window',
    description:
      'With `preview`, it says how many credits another window would move, before you change it: with `PATCH /webinars/{webinarId}` for a ' +
      'webinar, in the dashboard for the workspace. `run` shows how many credits a change has moved.',
    tag: 'Revenue',
  })
    .input(ReadInput)
    .output(dataOf(ReadOutput))
    .query(async ({ ctx: { reader }, input: { preview, webinarId } }) => ({
      data: {
        windowDays: await defaultWindow(reader),
        run: await readCreditRun(reader),
        preview:
          preview === undefined ? null : await previewWindow(reader, { windowDays: preview, webinarId }),
      },
    })),

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

const readWindow = async (reader: AccountQueries) => ({
  windowDays: await defaultWindow(reader),
  choices: [...attributionWindows],
  run: await readCreditRun(reader),
});
