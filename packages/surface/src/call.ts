import type { Scope } from '@service/catalogue';
import type { Database } from '@service/database';
import type { Log } from '@service/log';
import type { AnyServiceRouter, ClientPrincipal, KeyedRequest, RequestContext, Written } from '@service/trpc';
import type { Admission, CredentialScheme, RateState } from './admission.ts';
import type { Answer, Refusal } from './answer.ts';
import type { AnswerStore } from './keyed-request.ts';
import type { Procedure, ProcedureResult } from './procedure.ts';

/** One call, as its surface received it. Surfaces differ only in how they read a call and write its answer. */
export interface Call {
  /** The credential as the surface received it. */
  authorization: string | undefined;
  requestId: string;
  /** The code of the refusal if the call names no procedure. */
  target: Target | OwnTarget | 'not_found' | 'method_not_allowed';
  /** The scopes that the credential must have. By default those of the procedure. */
  scopes?: readonly Scope[];
  /** The admission of the call, if its surface began it before. By default the call is admitted with its scopes. */
  admission?: Promise<Admission | null> | undefined;
  /** The request as Activity shows it: method and path, or a tool. `path` has no query, which may contain personal data. */
  method?: string;
  path?: string;
  tool?: string;
  sender: CallSender;
  /** Writes the answer. `rate` is undefined for a call without a valid credential. Returns the status for Activity. */
  write(answer: Answer, rate: RateState | undefined): number;
}

/** Facts about the sender of a call, as the surface received them. Activity shows them. */
export interface CallSender {
  userAgent: string | undefined;
  /** The client's address, read from the headers of trusted proxies. */
  address: string | undefined;
  /** Also a malformed one. */
  idempotencyKey: string | undefined;
}

export interface Target {
  procedure: Procedure;
  /** Reads the rest of the call. It runs only after the admission. Throws what the caller did wrong. */
  read(admission: Admission): CallContent | Promise<CallContent>;
  /** Calls the procedure. Throws its error. By default tRPC calls it by its name. */
  call?: CallProcedure;
}

export type CallProcedure = (context: RequestContext, input: unknown) => Promise<ProcedureResult>;

/** A call that its surface answers without a procedure, such as a list of its tools. */
export interface OwnTarget {
  /** It runs only after the admission. Throws what the caller did wrong. */
  respond(admission: Admission): Answer | Promise<Answer>;
}

export interface CallContent {
  /** Undefined for a read and for a write without an idempotency key. */
  keyed: KeyedRequest | undefined;
  /** The `If-Match` of an edit. */
  ifMatch?: string | undefined;
  /** The scopes for what the call asks, if its admission has not required them. Without one the call is refused before any check of it. */
  scopes?: readonly Scope[] | undefined;
  /** The input of the procedure. It runs only if there is no kept answer. Throws validation_failed. */
  input(): unknown;
}

/** An admitted call that has been answered. */
export interface AnsweredCall extends Pick<Call, 'requestId' | 'method' | 'path' | 'tool' | 'sender'> {
  principal: ClientPrincipal;
  at: Date;
  status: number;
  /** Undefined for a success. */
  refusal: Refusal | undefined;
  /** True for the kept answer of an earlier call. */
  replayed: boolean;
  durationMs: number;
}

/** The parts of the chain, the same for all surfaces. */
export interface ChainOptions extends ContextParts {
  router: AnyServiceRouter;
  credentials: CredentialScheme;
  answers: AnswerStore;
  /** Records an answered call. Never throws and never waits. */
  record: (call: AnsweredCall) => void;
  /** The absolute URL of the REST API. Its `/docs` explains the error codes. */
  apiUrl: string;
}

/** The parts of every context. */
export interface ContextParts {
  database: Database;
  log: Log;
  /** Called after the commit of every write. Must not throw. */
  onWritten: (write: Written) => void;
}
