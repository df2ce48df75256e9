import { createHmac, timingSafeEqual, type KeyObject } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { isCurrency } from '@service/catalogue';
import { isId } from '@service/database';
import type { AppError } from '@service/errors';
import { storable } from '@service/trpc/fields';
import { z } from 'zod';
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

type SecretKind =
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

interface TestEvent {
  headers: Record<string, string>;
  body: Buffer;
}

// Fields that several providers have.

const earliestMs = Date.UTC(2000, 0, 1);
const aheadMaxMs = 24 * 60 * 60 * 1000;

/** True from the year 2000 to one day ahead. A day, because clocks of senders may be fast or in the wrong zone. */
export const isPlausibleTime = (atMs: number, now: Date): boolean =>
  atMs >= earliestMs && atMs <= now.getTime() + aheadMaxMs;

export const plausibleTimeText = 'Not before the year 2000 and at most one day in the future.';

/** An id of a provider. Postgres cannot store every text of JSON. */
export const idText = storable(z.string().min(1, 'Must not be empty.').max(255, 'At most 255 characters.'));

const threeLetters = /^[A-Za-z]{3}$/;

/** A code of ISO 4217, also a former one, in upper case. */
export const currencyText = z
  .string()
  .regex(threeLetters, 'Three letters, such as EUR.')
  .toUpperCase()
  .refine((text) => !threeLetters.test(text) || isCurrency(text), 'Not a currency of ISO 4217.');

/** An e-mail address in lower case, as registrations have it. */
export const emailText = z.string().trim().toLowerCase().max(254).pipe(z.email('Not an e-mail address.'));

/** The id in a text, in lower case. Null for any other value: buyers can change the `svc_click` of a link. */
export const toId = (text: unknown): string | null =>
  typeof text === 'string' && isId(text.trim()) ? text.trim().toLowerCase() : null;

/** Bytes of an HMAC-SHA256. */
const hmacBytes = 32;

/**
 * The index of the key with which one of the signatures was made, or -1. Computes and compares for every key, so that the time
 * does not depend on the result. A signature of another length never matches.
 */
export function matchHmac(
  keys: readonly KeyObject[],
  signed: readonly (string | Uint8Array)[],
  signatures: readonly Buffer[],
): number {
  let match = -1;
  for (const [index, key] of keys.entries()) {
    const hmac = createHmac('sha256', key);
    for (const part of signed) hmac.update(part);
    const expected = hmac.digest();
    for (const signature of signatures) {
      const isEqual = signature.length === hmacBytes && timingSafeEqual(expected, signature);
      if (isEqual && match === -1) match = index;
    }
  }
  return match;
}

export const revenuePath = '/api/webhooks/revenue';

/** The address that receives the events of a source. `baseUrl` has no trailing slash. */
export const revenueUrl = (baseUrl: string, accountId: string, provider: string): string =>
  `${baseUrl}${revenuePath}/${accountId}/${provider}`;
