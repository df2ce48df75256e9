import { httpStatusByKind } from '@service/errors';
import { initTRPC, type AnyTRPCRouter } from '@trpc/server';
import type { RequestContext } from './context.ts';
import { errorOf } from './error-of.ts';
import type { ProcedureMeta } from './meta.ts';

/** The one tRPC instance. Its answers contain the public fields of an AppError, and nothing about other errors. */
export const trpc = initTRPC
  .context<RequestContext>()
  .meta<ProcedureMeta>()
  .create({
    isDev: false,
    errorFormatter({ shape, error, ctx }) {
      const known = errorOf(error);
      return {
        ...shape,
        message: known.message,
        data: {
          httpStatus: httpStatusByKind[known.kind],
          code: known.code,
          kind: known.kind,
          issues: known.issues,
          details: known.details,
          retryAfterSeconds: known.retryAfterSeconds,
          requestId: ctx?.requestId,
        },
      };
    },
  });

export const { router, mergeRouters } = trpc;

export type AnyServiceRouter = AnyTRPCRouter;
