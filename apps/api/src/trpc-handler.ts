import type { Service } from '@service/composition';
import { createId, databaseTime } from '@service/database';
import { httpStatusByKind } from '@service/errors';
import type { Log } from '@service/log';
import { createReply, errorOf } from '@service/trpc';
import { createExpressMiddleware } from '@trpc/server/adapters/express';
import { Router, type Request, type RequestHandler } from 'express';

/** Largest request body, in bytes. */
const bodyMax = 1024 * 1024;

/** The dashboard's door: principals are signed-in members, in the workspace that `x-workspace` names. */
export function createTrpcHandler(service: Service, { baseUrl, log }: { baseUrl: string; log: Log }): Router {
  const router = Router();
  router.use(refuseForeignOrigin(baseUrl));
  router.use(
    createExpressMiddleware({
      router: service.router,
      maxBodySize: bodyMax,
      async createContext({ req, res }) {
        const requestId = createId();
        res.setHeader('X-Request-Id', requestId);
        const admission = await service.accounts.authenticateMember(req.headers, req.get('x-workspace'));
        return {
          principal: admission?.principal ?? null,
          database: service.database,
          now: admission?.now ?? databaseTime(),
          isSuspended: admission?.isSuspended ?? false,
          log: log.child({ requestId }),
          requestId,
          reply: createReply(),
        };
      },
      // A call that was refused has the status of its refusal; a batch keeps tRPC's 207.
      responseMeta({ errors, paths }) {
        return errors.length === 1 && paths?.length === 1
          ? { status: httpStatusByKind[errorOf(errors[0]).kind] }
          : {};
      },
      onError({ error, path, ctx }) {
        const known = errorOf(error);
        if (known.kind === 'internal')
          log.error({ err: known.cause, path, requestId: ctx?.requestId }, 'A call failed');
      },
    }),
  );
  return router;
}

/** A page of another origin must not act with a member's cookie, whatever a browser may let it send. */
function refuseForeignOrigin(baseUrl: string): RequestHandler {
  const own = new URL(baseUrl).origin;
  return (request, response, next) => {
    const origin = request.get('origin');
    if (origin === undefined || origin === own || origin === hostOrigin(request)) return next();
    return response
      .status(403)
      .json({ code: 'forbidden', message: 'This origin may not call the dashboard API.' });
  };
}

const hostOrigin = (request: Request): string => `${request.protocol}://${request.get('host')}`;
