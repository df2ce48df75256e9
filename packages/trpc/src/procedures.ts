// The last steps of a call, on every surface: check the permission of the principal, then run the handler with a reader or with
// one transaction.
import type { Scope } from '@service/catalogue';
import type { AccountReader, AccountWriter, LateReads } from '@service/database';
import { commonErrors } from '@service/errors';
import type { z } from 'zod';
import type { Once, RequestContext } from './context.ts';
import { errorOf } from './error-of.ts';
import { trpc } from './init.ts';
import { routeToMeta, type ProcedureMeta, type Route } from './meta.ts';
import { mayRead, type MemberPrincipal, type Principal } from './principal.ts';
import { createUnitOfWrite, tryInBatch } from './unit-of-write.ts';
import { matchesVersion, versionOf } from './version.ts';

/** A read for members and for clients with the scope of the route. */
export const scopedQuery = (route: ScopedRoute) => reading(routeToMeta(route));

/** A read for members, and for the tools of clients with the scopes. It has no REST route. */
export const toolQuery = (
  meta: Required<Pick<ProcedureMeta, 'scope'>> & Pick<ProcedureMeta, 'alsoScopes' | 'mayBeLate'>,
) => reading(meta);

/** A write for members and for clients with the scope of the route. */
export const scopedMutation = (route: ScopedRoute) => writing(routeToMeta(route));

/** A read for members and for every client. */
export const keyQuery = (route: Route & { scope?: undefined }) => reading(routeToMeta(route));

/** A read for members only. */
export const memberQuery = (meta: Pick<ProcedureMeta, 'mayBeLate'> = {}) => reading(meta);

/** A write for members only. */
export const memberMutation = (meta: WriteMeta = {}) => writing(meta);

/** A read for owners of the workspace only. */
export const ownerQuery = () =>
  reading({ ownerOnly: true }).use(({ ctx, next }) =>
    next({ ctx: { principal: requireOwner(ctx.principal) } }),
  );

/** A write for owners of the workspace only. */
export const ownerMutation = (meta: WriteMeta = {}) =>
  writing({ ...meta, ownerOnly: true }).use(({ ctx, next }) =>
    next({ ctx: { principal: requireOwner(ctx.principal) } }),
  );

/** A stream for members only. Its handler reads no rows: it has neither a reader nor a transaction. */
export const memberSubscription = () => authorized({});

type WriteMeta = Pick<ProcedureMeta, 'whileSuspended' | 'isPersonal'>;

function requireOwner(principal: Principal): MemberPrincipal {
  if (principal.kind !== 'member' || principal.role !== 'owner') throw commonErrors.owner_required();
  return principal;
}

type ScopedRoute = Route & { scope: Scope };

/**
 * Refuses a client that lacks one of the scopes, for what a handler finds out about a record. A client without a scope of the procedure
 * gets the same answer. Throws invalid_api_key, or insufficient_scope for a grant.
 */
export function requireScopes(
  { principal, refuseScopes }: Pick<RequestContext, 'refuseScopes'> & { principal: Principal },
  scopes: readonly Scope[],
): void {
  if (scopes.every((scope) => mayRead(principal, scope))) return;
  throw refuseScopes?.(scopes) ?? commonErrors.invalid_api_key();
}

const reading = (meta: ProcedureMeta) =>
  authorized(meta).use(async ({ ctx, next }) => {
    const { database, now, principal } = ctx;
    const caller = { accountId: principal.accountId, now, isMember: principal.kind === 'member' };
    const late = meta.mayBeLate || ctx.mayBeLate ? database.late() : undefined;
    const result = await next({ ctx: { reader: readerOf(late ?? database, caller) } });
    // The replica may not have a new record yet.
    const isMissing = late !== undefined && !result.ok && errorOf(result.error).kind === 'not_found';
    return isMissing ? next({ ctx: { reader: readerOf(database, caller) } }) : result;
  });

/** Creates the unit of work at its first use: it costs more than most statements, and many reads need none. */
function readerOf(
  database: LateReads,
  caller: Pick<AccountReader, 'accountId' | 'now' | 'isMember'>,
): AccountReader {
  let em: AccountReader['em'] | undefined;
  return {
    get em() {
      return (em ??= database.fork());
    },
    query: database.query,
    ...caller,
  };
}

// A handler does its slow checks first (the DNS of a URL) and then opens the transaction, so that no connection waits for another
// server. A handler can write only inside the transaction.
const writing = (meta: ProcedureMeta) =>
  authorized(meta).use(async ({ ctx, path, getRawInput, next }) => {
    if (ctx.isSuspended && !meta.whileSuspended) throw commonErrors.account_suspended();
    const { accountId } = ctx.principal;
    // Reads the body before the transaction, because a malformed body throws here, and a procedure without an input would not have read it.
    const input = await getRawInput();
    const attempt = async (isAlone: boolean) => {
      const unit = createUnitOfWrite(ctx, { accountId, isAlone });
      const { run: transaction, runBatched: batched } = unit;
      let subject: string | undefined;
      /** Names the changed record in the audit log, for an input without its title or label. */
      const setSubject = (name: string): void => void (subject = name);
      const edit = editIn(transaction, ctx.ifMatch);
      const result = await next({ ctx: { transaction, batched, edit, setSubject } });
      // In the transaction of the change, so that both are committed together or not at all.
      const record = (tx: AccountWriter): void => {
        if (ctx.principal.kind === 'member' && !meta.isPersonal)
          ctx.recordChange?.(tx, { member: ctx.principal, procedure: path, input, subject });
      };
      return { result, end: await unit.end(result, record) };
    };
    const { result, end } = await tryInBatch(attempt, () => {
      ctx.reply.status = ctx.reply.location = undefined;
    });
    if (end) ctx.onWritten?.({ accountId, procedure: path, input });
    return result;
  });

interface Edit<Result> {
  /** The answer's schema of the record. */
  record: z.ZodType<object>;
  /** Locks the record and reads it as GET answers it. */
  lock: (tx: AccountWriter) => Promise<object>;
  /** Changes the locked record. */
  change: (tx: AccountWriter) => Promise<Result>;
}

/**
 * The transaction of an edit. With `If-Match` the record is compared after it is locked, so that of two simultaneous edits of one
 * version the second is refused. Throws precondition_failed with the current record.
 */
const editIn =
  (
    transaction: <Result>(work: (tx: AccountWriter) => Promise<Result>) => Promise<Result>,
    ifMatch: string | undefined,
  ) =>
  <Result>({ record, lock, change }: Edit<Result>): Promise<Result> =>
    transaction(async (tx) => {
      if (ifMatch !== undefined) {
        const current = record.parse(await lock(tx));
        if (!matchesVersion(ifMatch, versionOf(current)))
          throw commonErrors.precondition_failed({ data: current });
      }
      return change(tx);
    });

const authorized = (meta: ProcedureMeta) =>
  trpc.procedure.meta(meta).use(async ({ ctx, type, getRawInput, next }) => {
    const { principal, once } = ctx;
    if (!principal) throw commonErrors.sign_in_required();
    if (!isAllowed(principal, meta)) throw commonErrors.invalid_api_key();
    if (meta.scopesFor) requireScopes({ ...ctx, principal }, meta.scopesFor((await getRawInput()) ?? {}));
    // A procedure that another one calls is part of its call. A stream would keep its place for as long as it is open.
    if (ctx.isPartOfCall || type === 'subscription') return next({ ctx: { principal } });
    const endCall = await ctx.database.beginCall();
    // A replay ends the call, but not this function.
    const replay: Once['replay'] = (kept) => {
      endCall();
      once!.replay(kept);
    };
    try {
      return await next({ ctx: { principal, isPartOfCall: true, once: once && { ...once, replay } } });
    } finally {
      endCall();
    }
  });

function isAllowed(principal: Principal, { scope, alsoScopes = [], anyKey = false }: ProcedureMeta): boolean {
  if (principal.kind === 'member' || anyKey) return true;
  return scope !== undefined && [scope, ...alsoScopes].every((needed) => principal.scopes.has(needed));
}
