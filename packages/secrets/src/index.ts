// Secrets at rest: AES-256-GCM with a key id, so that the key can be rotated without a flag day.
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const nonceBytes = 12;
const tagBytes = 16;

export interface SecretBox {
  /** Encrypts a text for storage, bound to `context` (for example the row's id): it opens only with the same one. */
  seal(plaintext: string, context: string): string;
  /** Opens what `seal` made. Throws when the text, the context or the key is not the right one. */
  open(sealed: string, context: string): string;
  /** Whether a sealed text still uses a former key and should be sealed anew. */
  isStale(sealed: string): boolean;
}

/**
 * A box over the current key and any former ones; each is 32 bytes in base64.
 * Sealed form: `v1.<key id>.<base64url of nonce, ciphertext and tag>`; the key id is a digest's first 8 hex digits.
 */
export function createSecretBox(currentKey: string, formerKeys: readonly string[] = []): SecretBox {
  const keys = [currentKey, ...formerKeys].map((encoded) => {
    const key = Buffer.from(encoded, 'base64');
    if (key.length !== 32) throw new Error('An encryption key must be 32 bytes in base64.');
    return { id: createHash('sha256').update(key).digest('hex').slice(0, 8), key };
  });
  const current = keys[0]!;

  return {
    seal(plaintext, context) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', current.key, nonce).setAAD(Buffer.from(context));
      const sealed = Buffer.concat([
        nonce,
        cipher.update(plaintext, 'utf8'),
        cipher.final(),
        cipher.getAuthTag(),
      ]);
      return `v1.${current.id}.${sealed.toString('base64url')}`;
    },
    open(sealed, context) {
      const [version, keyId, encoded] = sealed.split('.');
      const match = keys.find((key) => key.id === keyId);
      if (version !== 'v1' || !encoded || !match)
        throw new Error('Sealed with a key that is not configured.');
      const bytes = Buffer.from(encoded, 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', match.key, bytes.subarray(0, nonceBytes), {
        authTagLength: tagBytes,
      })
        .setAAD(Buffer.from(context))
        .setAuthTag(bytes.subarray(-tagBytes));
      return (
        decipher.update(bytes.subarray(nonceBytes, -tagBytes), undefined, 'utf8') + decipher.final('utf8')
      );
    },
    isStale: (sealed) => !sealed.startsWith(`v1.${current.id}.`),
  };
}
