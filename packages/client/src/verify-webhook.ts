// Signatures with WebCrypto, which Node, Deno, Bun, browsers and edge functions have.
import { ApiError } from './api-error.ts';
import { parseJson, send, sendDefaults, type SendOptions } from './send.ts';
import type { RevenueEventInput, WebhookEvent } from './generated/types.ts';

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

interface RevenueWebhookAnswer {
  /** `conflict`: an event with this id and type and other content was stored before, and was kept. */
  status: 'accepted' | 'duplicate' | 'conflict';
  /** The id of the revenue event. */
  id: string;
}

/**
 * Sends a purchase, a refund or a chargeback to the address of Settings > Revenue, signed with the secret of the generic source. Sending the
 * same event again is harmless. Rejects with an ApiError when it is refused.
 */
export async function sendRevenueWebhook(
  { url, secret, ...options }: { url: string; secret: string } & Partial<SendOptions>,
  event: RevenueEventInput,
): Promise<RevenueWebhookAnswer> {
  const body = encode(JSON.stringify(event));
  const key = await hmacKey(encode(secret), 'sign');
  const digest = new Uint8Array(await crypto.subtle.sign('HMAC', key, body));
  const hex = [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const headers = { 'Content-Type': 'application/json', 'X-Service-Signature': `sha256=${hex}` };
  const { response, text } = await send(
    url,
    { method: 'POST', headers, body },
    { ...sendDefaults, ...options },
  );
  const answer = parseJson(text);
  if (!response.ok || answer === undefined)
    throw new ApiError(`POST ${new URL(url).pathname}`, response, answer);
  return answer as RevenueWebhookAnswer;
}

function read(headers: ReceivedHeaders, name: string): string | null | undefined {
  if (typeof headers.get === 'function') return (headers as Headers).get(name);
  const value = (headers as Record<string, string | readonly string[] | undefined>)[name];
  return typeof value === 'string' ? value : value?.[0];
}

const hmacKey = (bytes: Uint8Array<ArrayBuffer>, use: 'sign' | 'verify') =>
  crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [use]);

const encode = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

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
