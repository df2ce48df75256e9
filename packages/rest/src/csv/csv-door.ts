// Lists as files for signed-in members. A file is not the answer of a procedure, because it is a stream of any length.
import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createId, currentPayer, databaseTime, workForCaller, type Database } from '@service/database';
import { commonErrors } from '@service/errors';
import { attributeAnswer } from '@service/lifecycle';
import type { Log } from '@service/log';
import { errorOf, logFailure, type MemberPrincipal } from '@service/trpc';
import { Router, type IRouter, type Request, type Response } from 'express';
import { errorToAnswer } from '../send-answer.ts';

/** The part of an admission that a file needs. */
interface MemberAdmission {
  /** Null without a sign-in session, and for a workspace without this member. */
  principal: MemberPrincipal | null;
  now: Date | undefined;
  rate: { retryAfterSeconds: number | undefined } | undefined;
}

export interface CsvDoorParts<Admission extends MemberAdmission> {
  accounts: {
    admitMember(
      headers: IncomingHttpHeaders,
      workspaceId: string | undefined,
      calls: number,
    ): Promise<Admission>;
  };
  database: Database;
  docsUrl: string;
  log: Log;
}

interface OpenedFile {
  /** Of the file, without the day and `.csv`. */
  name: string;
  /** The text of the file in parts. A part is asked for when the former one was taken. */
  text: AsyncIterable<string>;
}

interface CsvDoorOptions<Admission extends MemberAdmission> {
  path: string;
  /** Reads the query, which also names the workspace: a link of a browser cannot send a header. A refusal is thrown. */
  open: (
    request: Request,
    member: { admission: Admission; principal: MemberPrincipal; now: Date; requestId: string },
  ) => OpenedFile | Promise<OpenedFile>;
}

/** Files of one account that a door of this process sends at once. */
const accountFilesMax = 2;

/** A client that reads nothing for this long is disconnected. */
const stalledMaxMs = 60_000;

/** A file that takes longer is cut off, and the browser reports a failed download. */
const fileMaxMs = 30 * 60_000;

/** The membership is checked again after this time. */
const memberMaxAgeMs = 5000;

/** The parts of a file, until the member was removed or has signed out. */
async function* whileMember(
  text: AsyncIterable<string>,
  isMember: () => Promise<boolean>,
): AsyncGenerator<string> {
  let checkedMs = performance.now();
  for await (const part of text) {
    if (performance.now() - checkedMs > memberMaxAgeMs) {
      if (!(await isMember())) throw commonErrors.sign_in_required();
      checkedMs = performance.now();
    }
    yield part;
  }
}

/** `GET` of a path for signed-in members. `close` ends running files. */
export function createCsvDoor<Admission extends MemberAdmission>(
  { accounts, database, docsUrl, log }: CsvDoorParts<Admission>,
  { path, open }: CsvDoorOptions<Admission>,
): { mount: (routes: IRouter) => void; close: () => void } {
  const router = Router({ caseSensitive: true, strict: true });
  const running = new Map<string, number>();
  const closing = new AbortController();

  const refuse = (response: Response, thrown: unknown, requestId = createId()): void => {
    const error = errorOf(thrown);
    logFailure(log, error, { message: 'An export failed', requestId });
    if (response.headersSent) return void response.destroy();
    const { status, body, headers } = errorToAnswer(error, { requestId, docsUrl });
    response.set({ ...headers, 'X-Request-Id': requestId, 'Cache-Control': 'no-store' });
    response.status(status).json(body);
  };

  const send = async (request: Request, response: Response, requestId: string): Promise<void> => {
    const { workspace } = request.query;
    const named = typeof workspace === 'string' ? workspace : undefined;
    const caller = currentPayer();
    const admission = await accounts.admitMember(request.headers, named, 1);
    const { principal, now, rate } = admission;
    if (rate?.retryAfterSeconds !== undefined)
      throw commonErrors.too_many_calls({ retryAfterSeconds: rate.retryAfterSeconds });
    if (!principal) throw commonErrors.sign_in_required();
    const { accountId } = principal;
    workForCaller(database.ofAccount(accountId), caller);
    attributeAnswer(response, accountId);
    const at = now ?? databaseTime();
    const files = running.get(accountId) ?? 0;
    if (files >= accountFilesMax) throw commonErrors.export_in_progress({ retryAfterSeconds: 5 });
    running.set(accountId, files + 1);
    try {
      const { name, text } = await open(request, { admission, principal, now: at, requestId });
      response.set({
        'Content-Type': 'text/csv; charset=utf-8',
        'Content-Disposition': `attachment; filename="${name}-${at.toISOString().slice(0, 10)}.csv"`,
        'Cache-Control': 'no-store',
      });
      response.setTimeout(stalledMaxMs, () => void response.destroy());
      const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(fileMaxMs)]);
      const isMember = async () => (await accounts.admitMember(request.headers, named, 0)).principal !== null;
      const parts = Readable.from(whileMember(text, isMember), { objectMode: false });
      await pipeline(parts, response, { signal });
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
    .route(path)
    // Before GET, which would also answer HEAD.
    .head(refuseMethod)
    .get((request, response) => {
      const requestId = createId();
      send(request, response, requestId).catch((error: unknown) => {
        if (!isDisconnect(error)) refuse(response, error, requestId);
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
