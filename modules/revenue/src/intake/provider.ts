import type { IncomingHttpHeaders } from 'node:http';
import type { KeyObject } from 'node:crypto';
import type { AppError } from '@service/errors';
import type { RevenueFact } from '../ledger/revenue-fact.ts';

/** A sender of revenue events: the signature that it uses, and the facts in its events. One folder of `providers`. */
export interface RevenueProvider {
  /** The last part of its address, and the `source` of its events. Lower case. */
  name: string;
  /** The secret that signs its events. */
  secret: SecretKind;
  /** The types of events that are read, for owners who select them at the provider. Empty: there is no choice. */
  eventTypes: readonly string[];
  /** Checks the signature. Every path must take the same time, so it computes an HMAC with each key in any case. */
  verify(request: SignedRequest): Verdict;
  /** Reads a body whose signature was valid. */
  read(body: Buffer, options: { now: Date }): Reading;
  /** True if a body that cannot be stored is answered with its error. False if it is answered 200 and kept for the owner. */
  refusesInvalid: boolean;
  /** The answer for an event without an error. */
  answer(outcome: EventOutcome): { status: number; body: object };
  /** A signed purchase of 0 with this event id. Its body is text, because a page posts it. */
  createTestEvent(options: { secret: string; eventId: string; now: Date }): TestEvent;
}

export type SecretKind =
  /** Made by the service. */
  | { madeBy: 'service' }
  /** Issued by the provider and pasted by an owner. `pattern` is its form, `hint` describes it. */
  | { madeBy: 'provider'; pattern: RegExp; hint: string };

export interface SignedRequest {
  headers: IncomingHttpHeaders;
  /** The exact bytes. */
  body: Buffer;
  /** Keys of the secrets in use: the text of a secret in UTF-8. */
  keys: readonly KeyObject[];
  now: Date;
}

/** The reasons why an event was refused, as the source of the dashboard shows them. */
export const refusalReasons = [
  'missing_signature',
  'malformed_signature',
  'wrong_signature',
  'timestamp_out_of_range',
  'malformed_json',
  'invalid_fields',
  'not_understood',
  'other_content',
] as const;

export type RefusalReason = (typeof refusalReasons)[number];

/** `keyIndex` is the key that made the signature. */
export type Verdict = { isValid: true; keyIndex: number } | { isValid: false; reason: RefusalReason };

export type Reading =
  /** At least one. The refunds of one charge may be in one event. */
  | { kind: 'facts'; facts: readonly RevenueFact[] }
  /** An event of a type that is no revenue. It is not kept. */
  | { kind: 'ignored' }
  /** An event that cannot be stored. It is kept for a week, and `error` names every problem. */
  | { kind: 'invalid'; reason: RefusalReason; error: AppError };

export type EventOutcome =
  /** `conflict`: an event with this id and type was stored with other content, which was kept. */
  | { kind: 'stored' | 'duplicate' | 'conflict'; id: string }
  | { kind: 'ignored' }
  | { kind: 'not_understood' };

export interface TestEvent {
  headers: Record<string, string>;
  body: Buffer;
}
