import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Database } from '@service/database';
import type { Log } from '@service/log';
import type { Admission, AnswerStore, AnyServiceRouter, KeyPrincipal, Scope } from '@service/trpc';
import type { RequestTarget } from './request-target.ts';
import type { RouteMatch } from './route-table.ts';

/** An authenticated call that has been answered. `path` is without its query, which may hold personal data. */
export interface AnsweredCall {
  principal: KeyPrincipal;
  at: Date;
  status: number;
  method: string;
  path: string;
  /** Whether the answer was an earlier one, given again. */
  replayed: boolean;
  durationMs: number;
  requestId: string;
}

export interface RestOptions {
  router: AnyServiceRouter;
  database: Database;
  log: Log;
  /**
   * The principal of a request, counted in its account's window, and the time. Null for each cause of a 401, without the cause.
   * `scope` is undefined where no route matched, or where any key will do.
   */
  authenticate: (authorization: string | undefined, scope: Scope | undefined) => Promise<Admission | null>;
  /** The answers of writes that carried an Idempotency-Key. */
  answers: AnswerStore;
  onAnswered: (call: AnsweredCall) => void;
  /** Where this surface is mounted, absolute. The error codes are explained at its `/docs`. */
  apiUrl: string;
  /** Instead of the time that `authenticate` brings, for tests. */
  now?: () => Date;
}

/** One request on its way through the chain. */
export interface Call {
  request: IncomingMessage;
  response: ServerResponse;
  url: RequestTarget;
  match: RouteMatch;
  requestId: string;
}
