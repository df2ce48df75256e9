import { idAt, idTime } from '@service/database';
import { cursorId, instant, memberQuery, pageInput, pageOf, router, toPage } from '@service/trpc';
import { z } from 'zod';
import { ApiCall } from './api-call.ts';

const windowMs = 24 * 60 * 60 * 1000;

const ApiCallOutput = z.object({
  id: z.uuid(),
  surface: z.enum(['rest', 'mcp']),
  at: instant(),
  status: z.number().int(),
  method: z.string().nullable(),
  path: z.string().nullable(),
  tool: z.string().nullable(),
  replayed: z.boolean(),
  keyId: z.uuid(),
  keyLabel: z.string(),
  durationMs: z.number().int(),
  requestId: z.string(),
});

export const activityRouter = router({
  /** The last 24 hours, newest first. */
  list: memberQuery()
    .input(z.strictObject(pageInput))
    .output(pageOf(ApiCallOutput))
    .query(async ({ ctx: { reader }, input }) => {
      const since = idAt(new Date(reader.now.getTime() - windowMs));
      const after = cursorId(input.cursor);
      const rows = await reader.em.find(
        ApiCall,
        { accountId: reader.accountId, id: { $gte: since, ...(after && { $lt: after }) } },
        { orderBy: { id: 'desc' }, limit: input.limit + 1 },
      );
      return toPage(rows, { limit: input.limit, toItem: callToOutput });
    }),
});

const callToOutput = (call: ApiCall): z.input<typeof ApiCallOutput> => ({
  id: call.id,
  surface: call.surface === 'mcp' ? 'mcp' : 'rest',
  at: idTime(call.id).toISOString(),
  status: call.status,
  method: call.method ?? null,
  path: call.path ?? null,
  tool: call.tool ?? null,
  replayed: call.replayed,
  keyId: call.keyId,
  keyLabel: call.keyLabel,
  durationMs: call.durationMs,
  requestId: call.requestId,
});
