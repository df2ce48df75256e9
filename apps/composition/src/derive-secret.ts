import { hkdfSync } from 'node:crypto';

/** A secret for one purpose, derived from the encryption key (HKDF-SHA256, RFC 5869), so that operators keep only one. */
export function deriveSecret(encryptionKey: string, purpose: string): string {
  const key = hkdfSync('sha256', Buffer.from(encryptionKey, 'base64'), '', purpose, 32);
  return Buffer.from(key).toString('base64url');
}
