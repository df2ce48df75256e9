// Webhook signatures: the header of the service, and those of Standard Webhooks.
import { createHmac, createSecretKey, randomBytes, type KeyObject } from 'node:crypto';

const secretPrefix = 'whsec_';
/** A multiple of three: base64 needs no `=`, which people leave out when they copy. */
const secretBytes = 33;

/** A new webhook secret: `whsec_` and base64 of 33 random bytes, as Standard Webhooks libraries expect it. Older secrets have 32. */
export function createSecret(): string {
  return secretPrefix + randomBytes(secretBytes).toString('base64');
}

export interface SigningKeys {
  /** The key of `X-Service-Signature`: the whole secret as text. */
  body: KeyObject;
  /** The key of `webhook-signature`: the bytes after the `whsec_` prefix. */
  standard: KeyObject;
}

/** Prepares a secret for many signatures. On Node 24 an HMAC with a KeyObject costs a fifth of one with a Buffer. */
export function signingKeys(secret: string): SigningKeys {
  const encoded = secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : secret;
  return {
    body: createSecretKey(secret, 'utf8'),
    standard: createSecretKey(Buffer.from(encoded, 'base64')),
  };
}

/** The value of `X-Service-Signature`: `sha256=` and the lowercase hex HMAC-SHA256 of the exact body. */
export function signBody(key: KeyObject | string, body: string | Uint8Array): string {
  return `sha256=${createHmac('sha256', key).update(body).digest('hex')}`;
}

/**
 * The value of `webhook-signature` (https://github.com/standard-webhooks/standard-webhooks, version v1):
 * base64 HMAC-SHA256 over `id.timestamp.body`; the timestamp is in whole Unix seconds.
 */
export function signStandard(
  key: KeyObject,
  message: { id: string; timestampSeconds: number; body: string },
): string {
  const signed = `${message.id}.${message.timestampSeconds}.${message.body}`;
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
}
