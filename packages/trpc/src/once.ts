// A write that carries an idempotency key happens once. The door makes a `Once` of the key; the chain takes it in the
// write's own transaction, before the work, and keeps the answer there, before the commit. So the three stand or fall
// together: a process that dies in between leaves neither half a write nor a key that is taken.
import type { AccountReader, AccountWriter } from '@service/database';
import type { AppError } from '@service/errors';
import type { Reply } from './context.ts';

/** What a write came to: its data, or a refusal that would be the same if it were asked again. */
export type Outcome = { ok: true; data: unknown; reply: Reply } | { ok: false; error: AppError };

/** An answer as it was given, kept for whoever asks again. */
export interface KeptAnswer {
  status: number;
  /** The exact body; null where there was none. */
  body: string | null;
  /** The path of what was created, if it was. */
  location: string | null;
}

/** A write that must happen once, by the name its caller gave it. */
export interface KeyedRequest {
  /** 1 to 255 visible ASCII characters; means something within its account only. */
  key: string;
  /** SHA-256 of what was asked for. */
  fingerprint: Buffer;
}

/** The answers of writes that carried a key, shared by all processes and surfaces. */
export interface AnswerStore {
  /** What was answered before, looked up without a lock, so that a retry costs no more. Throws idempotency_key_reused. */
  find(reader: Omit<AccountReader, 'em'>, request: KeyedRequest): Promise<KeptAnswer | undefined>;
  /**
   * Takes the key until the transaction ends, however it ends. Throws idempotency_in_progress when somebody else holds it,
   * AlreadyAnswered, idempotency_key_reused.
   */
  claim(tx: AccountWriter, request: KeyedRequest): Promise<void>;
  /** Keeps the answer to a claimed request, in the transaction of its work. */
  keep(tx: AccountWriter, request: KeyedRequest, answer: KeptAnswer): void;
}

/** One keyed request on its way through the chain. */
export interface Once {
  /** Takes the key. Throws AlreadyAnswered, idempotency_in_progress, idempotency_key_reused. */
  claim(tx: AccountWriter): Promise<void>;
  /** Keeps the answer under the claimed key. */
  keep(tx: AccountWriter, outcome: Outcome): void;
}

/** Not a failure: the work was done before, and this is what was answered then. */
export class AlreadyAnswered extends Error {
  readonly answer: KeptAnswer;

  constructor(answer: KeptAnswer) {
    super('Answered before');
    this.answer = answer;
  }
}
