import type { WebhookEvent } from './generated/types.ts';
import { encode, hmacKey } from './hmac.ts';
import { parseJson } from './send.ts';

/** A webhook that was not sent with one of the secrets, or that is too old. Answer it with 401. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
}

/** Headers as `fetch` and Hono have them, or as Node and Express have them, in lower case. */
type ReceivedHeaders =
  | Pick<Headers, 'get'>
  | Readonly<Record<string, string | readonly string[] | undefined>>;

interface VerifyOptions {
  /** The largest difference between the times of the sender and of the receiver. */
  toleranceSeconds?: number;
  now?: Date;
}

/** Signatures of one header that are compared. A sender that rotates its secret has two. */
const signaturesMax = 10;

/**
 * Verifies a webhook by the headers of Standard Webhooks (https://www.standardwebhooks.com) and returns its event. `body` has the raw
 * bytes, or their text before any JSON parser. During a rotation give the old and the new secret. Throws a WebhookError.
 *
 * A webhook can arrive twice: the header `webhook-id` is the same in each attempt.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: ReceivedHeaders,
  secret: string | readonly string[],
  { toleranceSeconds = 300, now = new Date() }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const [id, time, header] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    read(headers, name),
  );
  if (!id || !time || !header) throw new WebhookError('A header of the signature is missing.');
  const sentSeconds = /^\d{1,12}$/.test(time) ? Number(time) : Number.NaN;
  if (!(Math.abs(now.getTime() / 1000 - sentSeconds) <= toleranceSeconds))
    throw new WebhookError('The time of the webhook is too far from now.');
  const bytes = typeof body === 'string' ? encode(body) : body;
  const signed = joined(encode(`${id}.${time}.`), bytes);
  const signatures = header
    .split(' ')
    .flatMap((one) => (one.startsWith('v1,') ? [one.slice(3)] : []))
    .slice(0, signaturesMax);
  for (const one of typeof secret === 'string' ? [secret] : secret) {
    const secretBytes = bytesOf(one.replace(/^whsec_/, ''));
    if (secretBytes.length === 0) throw new TypeError('The secret is not whsec_ and base64.');
    const key = await hmacKey(secretBytes, 'verify');
    for (const signature of signatures)
      if (await crypto.subtle.verify('HMAC', key, bytesOf(signature), signed)) return eventOf(bytes);
  }
  throw new WebhookError('The signature is not that of the body.');
}

function eventOf(bytes: Uint8Array): WebhookEvent {
  const event = parseJson(new TextDecoder().decode(bytes));
  if (event === undefined) throw new WebhookError('The body is not JSON.');
  return event as WebhookEvent;
}

function read(headers: ReceivedHeaders, name: string): string | null | undefined {
  if (typeof headers.get === 'function') return (headers as Headers).get(name);
  const value = (headers as Record<string, string | readonly string[] | undefined>)[name];
  return typeof value === 'string' ? value : value?.[0];
}

/** The bytes of a base64 text. Of another text: none, which no signature has. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(one.length + other.length);
  bytes.set(one);
  bytes.set(other, one.length);
  return bytes;
}
