// The chain every call runs through, whatever its door: who is it, may they, then the handler with one transaction.
import type { AccountDatabase, AccountReader, AccountWriter } from '@service/database';
import { commonErrors } from '@service/errors';
import { trpc } from './init.ts';
import { routeToMeta, type ProcedureMeta, type Route } from './meta.ts';
import type { Principal } from './principal.ts';
import { createUnitOfWrite } from './unit-of-write.ts';

/** A read that API keys with the route's scope, and members, may make. */
export const scopedQuery = (route: ScopedRoute) => reading(routeToMeta(route));

/** A write that API keys with the route's scope, and members, may make. */
export const scopedMutation = (route: ScopedRoute) => writing(routeToMeta(route));

/** A read that every API key, whatever its scopes, and members may make. */
export const keyQuery = (route: Omit<Route, 'scope'>) => reading(routeToMeta(route));

/** A read for the dashboard only. */
export const memberQuery = () => reading({});

/** A write for the dashboard only. */
export const memberMutation = (meta: WriteMeta = {}) => writing(meta);

/** A write for owners of the workspace only. */
export const ownerMutation = (meta: WriteMeta = {}) =>
  memberMutation(meta).use(({ ctx, next }) => {
    if (ctx.principal.kind !== 'member' || ctx.principal.role !== 'owner')
      throw commonErrors.owner_required();
    return next();
  });

type WriteMeta = Pick<ProcedureMeta, 'whileSuspended'>;

type ScopedRoute = Route & Required<Pick<Route, 'scope'>>;

const reading = (meta: ProcedureMeta) =>
  authorized(meta).use(({ ctx, next }) => {
    const { database, now } = ctx;
    const { accountId } = ctx.principal;
    return next({ ctx: { reader: readerOf(database, { accountId, now }) } });
  });

/** A unit of work costs something, so there is one only for who asks for it. */
function readerOf(
  database: AccountDatabase,
  { accountId, now }: Pick<AccountReader, 'accountId' | 'now'>,
): AccountReader {
  let em: AccountReader['em'] | undefined;
  return {
    get em() {
      return (em ??= database.fork());
    },
    query: database.query,
    accountId,
    now,
  };
}

// A handler does its slow checks (the DNS of a URL) first and then opens the transaction itself, so that no
// connection waits for somebody else's server. There is no other way to write: `em` exists only inside.
const writing = (meta: ProcedureMeta) =>
  authorized(meta).use(async ({ ctx, next }) => {
    if (ctx.isSuspended && !meta.whileSuspended) throw commonErrors.account_suspended();
    const unit = createUnitOfWrite(ctx, ctx.principal.accountId);
    const transaction = <Result>(work: (tx: AccountWriter) => Promise<Result>): Promise<Result> =>
      unit.run(work);
    const result = await next({ ctx: { transaction } });
    await unit.end(result);
    return result;
  });

const authorized = (meta: ProcedureMeta) =>
  trpc.procedure.meta(meta).use(({ ctx, next }) => {
    if (!ctx.principal) throw commonErrors.sign_in_required();
    if (!isAllowed(ctx.principal, meta)) throw commonErrors.invalid_api_key();
    return next({ ctx: { principal: ctx.principal } });
  });

function isAllowed(principal: Principal, { scope, anyKey = false }: ProcedureMeta): boolean {
  return principal.kind === 'member' || anyKey || (scope !== undefined && principal.scopes.has(scope));
}
