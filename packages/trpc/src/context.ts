import type { Scope } from '@service/catalogue';
import type { AccountDatabase, AccountWriter } from '@service/database';
import type { AppError } from '@service/errors';
import type { Log } from '@service/log';
import type { IncomingHttpHeaders } from 'node:http';
import type { MemberPrincipal, Principal } from './principal.ts';

/** The REST answer of a handler beyond its body. Other surfaces ignore it. */
export interface Reply {
  /** Replaces the status in the procedure's meta, for example 200 for "already there". */
  status?: number | undefined;
  /** The path of the created object, below /api/v1. */
  location?: string | undefined;
}

export const createReply = (): Reply => ({});

/** Given to a procedure by a surface (`packages/surface`). `principal` is null for a caller who has not signed in. */
export interface RequestContext {
  principal: Principal | null;
  /** The database, with the share of the principal's account in its connections. */
  database: AccountDatabase;
  /** The database's time when the request was admitted. Everything that the request writes has this time. */
  now: Date;
  /** The account may be read, but not written to. */
  isSuspended?: boolean;
  /** The logger of the process. To make one for each call takes about 20 us. */
  log: Log;
  requestId: string;
  reply: Reply;
  /** The refusal of a client without some scopes, as its surface answers it. By default invalid_api_key. */
  refuseScopes?: (scopes: readonly Scope[]) => AppError;
  /** The `If-Match` of an edit: it may change only this version of its record (`version.ts`). */
  ifMatch?: string | undefined;
  /** All reads of the call may be some seconds late. Otherwise only those of procedures with `mayBeLate`. */
  mayBeLate?: boolean;
  /** True inside of a procedure, for procedures that it calls. */
  isPartOfCall?: boolean;
  /** Set for a write with an idempotency key. */
  once?: Once | undefined;
  /** Called after the commit of a write. Must not throw. */
  onWritten?: ((write: Written) => void) | undefined;
  /** Records a change of a member in its own transaction. Set for calls of the dashboard. */
  recordChange?: (tx: AccountWriter, change: MemberChange) => void;
  /** Set for calls over HTTP that may become a stream. */
  connection?: Connection;
}

/** A write that succeeded. */
export interface Written {
  accountId: string;
  /** The name of the procedure, such as `webinars.create`. */
  procedure: string;
  input: unknown;
}

/** A write of a member that is about to be committed. */
export interface MemberChange {
  member: MemberPrincipal;
  /** The name of the procedure, such as `webinars.create`. */
  procedure: string;
  /** As the caller wrote it. It may contain secrets. */
  input: unknown;
  /** The name of the changed record, if the handler gave it. */
  subject?: string | undefined;
}

/** The connection of a call. */
export interface Connection {
  headers: IncomingHttpHeaders;
  /** Ends the connection at once. */
  drop(): void;
}

/**
 * Makes one write happen once. The key is claimed in the write's own transaction before the work, and the answer is kept there
 * before the commit. So all three are committed together or not at all, also when the process dies.
 */
export interface Once {
  request: KeyedRequest;
  claims: KeyClaims;
  /** The answer that is kept for an outcome. */
  answerOf(outcome: Outcome): KeptAnswer;
  /** Ends the call with an answer that was kept for an earlier one. The handler does not go on. */
  replay(answer: KeptAnswer): void;
}

/** A write with an idempotency key. */
export interface KeyedRequest {
  /** 1 to 255 visible ASCII characters, unique within an account. */
  key: string;
  /** SHA-256 of the request. */
  fingerprint: Buffer;
}

export interface KeyClaims {
  /**
   * Locks the keys until the transaction ends. Returns for each request, in order, undefined, the answer of a request that ended in the
   * meantime, or a refusal: idempotency_in_progress when another transaction has locked the key, idempotency_key_reused,
   * idempotency_answer_erased, idempotency_storage_full.
   */
  claim(tx: AccountWriter, requests: readonly KeyedRequest[]): Promise<(KeptAnswer | AppError | undefined)[]>;
  /** Keeps the answers of claimed requests, in the transaction of their work. */
  keep(tx: AccountWriter, answers: readonly AnsweredRequest[]): void;
}

export interface AnsweredRequest {
  request: KeyedRequest;
  answer: KeptAnswer;
}

/** The result of a write: its data, or a refusal that a repeated request would get again. */
export type Outcome = { ok: true; data: unknown } | { ok: false; error: AppError };

/** The answer of a write, kept for repeated requests. */
export interface KeptAnswer {
  status: number;
  /** The exact JSON text, or null for none. */
  body: string | null;
  /** The path of the created object, or null for none. */
  location: string | null;
}
