// The ledger as a file for the dashboard. It is not a procedure, because its answer is a stream of any length.
import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createId, databaseTime, type AccountReader, type Database } from '@service/database';
import { commonErrors } from '@service/errors';
import { attributeAnswer } from '@service/lifecycle';
import type { Log } from '@service/log';
import type { HttpDoor } from '@service/module';
import { errorToAnswer } from '@service/rest';
import { errorOf, logFailure, parseInput, type MemberPrincipal } from '@service/trpc';
import { Router, type Request, type Response } from 'express';
import { z } from 'zod';
import { revenueErrors } from '../errors.ts';
import { resolveTimes, type TimeZoneReader } from './days.ts';
import { exportEvents } from './export-events.ts';
import { eventFilters } from './schemas.ts';

/** The part of an admission that an export needs. */
interface MemberAdmission {
  /** Null without a sign-in session, and for a workspace without this member. */
  principal: MemberPrincipal | null;
  now: Date | undefined;
  rate: { retryAfterSeconds: number | undefined } | undefined;
}

export interface ExportParts {
  accounts: {
    admitMember(
      headers: IncomingHttpHeaders,
      workspaceId: string | undefined,
      calls: number,
    ): Promise<MemberAdmission>;
  };
  database: Database;
  docsUrl: string;
  log: Log;
  readTimeZone: TimeZoneReader;
}

/** Exports of one account that this process sends at once. */
const accountExportsMax = 2;

/** A client that reads nothing for this long is disconnected. */
const stalledMaxMs = 60_000;

/** The workspace is in the query, because a link of a browser cannot send a header. */
const ExportInput = z.strictObject({
  workspace: z.uuid(),
  ...eventFilters,
  attributed: z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .optional(),
});

/** `GET /api/revenue/export.csv` for signed-in members. `close` ends running exports. */
export function createExportDoor({ accounts, database, docsUrl, log, readTimeZone }: ExportParts): HttpDoor {
  const router = Router({ caseSensitive: true, strict: true });
  const running = new Map<string, number>();
  const closing = new AbortController();

  const refuse = (response: Response, thrown: unknown): void => {
    const error = errorOf(thrown);
    const requestId = createId();
    logFailure(log, error, { message: 'An export failed', requestId });
    if (response.headersSent) return void response.destroy();
    const { status, body, headers } = errorToAnswer(error, { requestId, docsUrl });
    response.set({ ...headers, 'X-Request-Id': requestId, 'Cache-Control': 'no-store' });
    response.status(status).json(body);
  };

  const send = async (request: Request, response: Response): Promise<void> => {
    const { workspace } = request.query;
    const named = typeof workspace === 'string' ? workspace : undefined;
    const { principal, now, rate } = await accounts.admitMember(request.headers, named, 1);
    if (rate?.retryAfterSeconds !== undefined)
      throw commonErrors.too_many_calls({ retryAfterSeconds: rate.retryAfterSeconds });
    if (!principal) throw commonErrors.sign_in_required();
    const { workspace: _, ...given } = parseInput(ExportInput, request.query);
    const { accountId } = principal;
    attributeAnswer(response, accountId);
    const exports = running.get(accountId) ?? 0;
    if (exports >= accountExportsMax) throw revenueErrors.export_in_progress({ retryAfterSeconds: 5 });
    running.set(accountId, exports + 1);
    try {
      const account = database.ofAccount(accountId);
      const filters = await resolveTimes(given, () => readTimeZone({ query: account.query, accountId }));
      const at = now ?? databaseTime();
      const createReader = (): AccountReader => ({
        em: account.fork(),
        query: account.query,
        accountId,
        now: at,
      });
      response.set({
        'Content-Type': 'text/csv; charset=utf-8',
        'Content-Disposition': `attachment; filename="revenue-${at.toISOString().slice(0, 10)}.csv"`,
        'Cache-Control': 'no-store',
      });
      response.setTimeout(stalledMaxMs, () => void response.destroy());
      const text = Readable.from(exportEvents(createReader, filters), { objectMode: false });
      await pipeline(text, response, { signal: closing.signal });
    } finally {
      const left = running.get(accountId)! - 1;
      if (left === 0) running.delete(accountId);
      else running.set(accountId, left);
    }
  };

  const refuseMethod = (_request: Request, response: Response): void => {
    response.set('Allow', 'GET');
    refuse(response, commonErrors.method_not_allowed());
  };
  router
    .route('/api/revenue/export.csv')
    // Before GET, which would also answer HEAD.
    .head(refuseMethod)
    .get((request, response) => {
      send(request, response).catch((error: unknown) => {
        if (!isDisconnect(error)) refuse(response, error);
      });
    })
    .all(refuseMethod);

  return { mount: (routes) => void routes.use(router), close: () => closing.abort() };
}

/** The client has gone away, or the server stops and has disconnected it. Neither is a failure. */
const isDisconnect = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  ['ERR_STREAM_PREMATURE_CLOSE', 'ABORT_ERR'].includes(String(error.code));
