import { createHmac, hkdfSync } from 'node:crypto';
import { testEncryptionKey } from './api.ts';

/** The secret of join links of a test's service. */
const joinLinkKey = Buffer.from(
  hkdfSync('sha256', Buffer.from(testEncryptionKey, 'base64'), '', 'join-links', 32),
).toString('base64url');

interface Claims {
  accountId: string;
  registrationId: string;
  tokenVersion?: number;
  /** Makes the token of a click link. */
  interactionId?: string;
}

/** A token of the format before the version was part of it; with another key it is forged. */
export function formerToken(
  { accountId, registrationId, tokenVersion = 1, interactionId }: Claims,
  key = joinLinkKey,
): string {
  const ids = [accountId, registrationId, ...(interactionId ? [interactionId] : [])];
  const message = interactionId
    ? `click.${registrationId}.${tokenVersion}.${interactionId}`
    : `${registrationId}.${tokenVersion}`;
  const mac = createHmac('sha256', key).update(message).digest().subarray(0, 16);
  return Buffer.concat([Buffer.from(ids.join('').replaceAll('-', ''), 'hex'), mac]).toString('base64url');
}

/** The same token with a wrong signature. */
export function forgeToken(token: string): string {
  const bytes = Buffer.from(token, 'base64url');
  bytes[bytes.length - 1]! ^= 1;
  return bytes.toString('base64url');
}
