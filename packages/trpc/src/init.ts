import { httpStatusByKind, type AppError } from '@service/errors';
import { initTRPC, type AnyTRPCRouter } from '@trpc/server';
import { TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/rpc';
import type { RequestContext } from './context.ts';
import { errorOf } from './error-of.ts';
import type { ProcedureMeta } from './meta.ts';

/** The one tRPC instance. Its answers contain the public fields of an AppError, and nothing about other errors. */
export const trpc = initTRPC
  .context<RequestContext>()
  .meta<ProcedureMeta>()
  .create({
    isDev: false,
    sse: {
      // Shows proxies and browsers that a stream is alive. A browser that misses two of them connects again.
      ping: { enabled: true, intervalMs: 15_000 },
      client: { reconnectAfterInactivityMs: 40_000 },
    },
    errorFormatter({ shape, error, ctx, input }) {
      const known = errorOf(error, { input });
      return { ...shape, message: known.pageMessage, data: errorToData(known, ctx?.requestId) };
    },
  });

const errorToData = (error: AppError, requestId: string | undefined) => ({
  httpStatus: httpStatusByKind[error.kind],
  code: error.code,
  kind: error.kind,
  issues: error.issues,
  details: error.details,
  data: error.data,
  retryAfterSeconds: error.retryAfterSeconds,
  requestId,
});

/** The JSON text with which tRPC refuses a whole request, for requests that are refused before tRPC reads them. */
export function refusalText(error: AppError, requestId?: string): string {
  const { pageMessage: message } = error;
  const code = TRPC_ERROR_CODES_BY_KEY.BAD_REQUEST;
  return JSON.stringify({ error: { message, code, data: errorToData(error, requestId) } });
}

export const { router, mergeRouters } = trpc;

export type AnyServiceRouter = AnyTRPCRouter;
