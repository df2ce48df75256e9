import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Database } from '@service/database';
import type { Log } from '@service/log';
import type { Admission, AnswerStore, AnyServiceRouter, KeyPrincipal, Scope } from '@service/trpc';
import type { RequestTarget, RouteMatch } from './route-table.ts';

/** An authenticated call that has been answered. `path` has no query, which may contain personal data. */
export interface AnsweredCall {
  principal: KeyPrincipal;
  at: Date;
  status: number;
  method: string;
  path: string;
  /** True for the kept answer of an earlier request. */
  replayed: boolean;
  durationMs: number;
  requestId: string;
}

export interface RestOptions {
  router: AnyServiceRouter;
  database: Database;
  log: Log;
  /**
   * Authenticates a request and counts it in the window of its account. Null for every cause of a 401. `scope` is undefined when
   * no route matched, or when any key is enough.
   */
  admit: (authorization: string | undefined, scope: Scope | undefined) => Promise<Admission | null>;
  /** The answers of writes that carried an Idempotency-Key. */
  answers: AnswerStore;
  onAnswered: (call: AnsweredCall) => void;
  /** The absolute URL of this surface. Its `/docs` explains the error codes. */
  apiUrl: string;
  /** Replaces the time of the admission, for tests. */
  now?: () => Date;
}

/** One request and the route that it matched. */
export interface Call {
  request: IncomingMessage;
  response: ServerResponse;
  url: RequestTarget;
  match: RouteMatch;
  requestId: string;
}
