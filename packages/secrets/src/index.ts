// Secrets at rest: AES-256-GCM. Each sealed secret names its key, so that the key can be rotated while the service runs.
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const nonceBytes = 12;
const tagBytes = 16;

export interface SecretBox {
  /** Encrypts a text for storage. It opens only with the same `context`, for example the id of its row. */
  seal(plaintext: string, context: string): string;
  /** The same for bytes. The result is a quarter smaller than a sealed text. */
  sealBytes(plaintext: Uint8Array, context: string): Buffer;
  /** Decrypts bytes of `sealBytes`. Throws like `open`. */
  openBytes(sealed: Uint8Array, context: string): Buffer;
  /** Decrypts a text of `seal`. Throws when the text, the context or the key is wrong. */
  open(sealed: string, context: string): string;
  /** True for a value, or its head, that was not sealed with the current key. */
  isStale(sealed: string | Uint8Array): boolean;
}

/** Length of the header of sealed bytes: the version and the key id. */
const headerBytes = 5;
const bytesVersion = 1;

/** The characters or bytes at the beginning of a sealed value that name its key. */
export const headLengths = { text: 'v1.12345678.'.length, bytea: headerBytes } as const;

/** The id of the key of a sealed value, or of its head. Undefined for a value of another form. */
export function keyIdOf(sealed: string | Uint8Array): string | undefined {
  if (typeof sealed === 'string') return /^v1\.([0-9a-f]{8})\./.exec(sealed)?.[1];
  if (sealed[0] !== bytesVersion || sealed.length < headerBytes) return undefined;
  return Buffer.from(sealed.subarray(1, headerBytes)).toString('hex');
}

/**
 * Seals with the current key and opens with the current and the former ones. Each key is 32 bytes in base64.
 * Sealed form: `v1.<key id>.<base64url of nonce, ciphertext and tag>`; the key id is a digest's first 8 hex digits. Sealed
 * bytes are a version byte, the 4 bytes of the key id, nonce, ciphertext and tag.
 */
export function createSecretBox(currentKey: string, formerKeys: readonly string[] = []): SecretBox {
  const keys = [currentKey, ...formerKeys].map((encoded) => {
    const key = Buffer.from(encoded, 'base64');
    if (key.length !== 32) throw new Error('An encryption key must be 32 bytes in base64.');
    return { id: createHash('sha256').update(key).digest('hex').slice(0, 8), key };
  });
  const current = keys[0]!;

  const keyOf = (keyId: string | undefined): Buffer => {
    const match = keys.find(({ id }) => id === keyId);
    if (!match) throw notConfigured();
    return match.key;
  };

  return {
    seal: (plaintext, context) =>
      `v1.${current.id}.${encrypt(Buffer.from(plaintext), current.key, context).toString('base64url')}`,
    open(sealed, context) {
      const [version, keyId, encoded] = sealed.split('.');
      if (version !== 'v1' || !encoded) throw notConfigured();
      return decrypt(Buffer.from(encoded, 'base64url'), keyOf(keyId), context).toString('utf8');
    },
    sealBytes: (plaintext, context) =>
      Buffer.concat([
        Buffer.of(bytesVersion),
        Buffer.from(current.id, 'hex'),
        encrypt(plaintext, current.key, context),
      ]),
    openBytes(sealed, context) {
      const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
      if (bytes[0] !== bytesVersion) throw notConfigured();
      const keyId = bytes.toString('hex', 1, headerBytes);
      return decrypt(bytes.subarray(headerBytes), keyOf(keyId), context);
    },
    isStale: (sealed) => keyIdOf(sealed) !== current.id,
  };
}

const notConfigured = (): Error => new Error('Sealed with a key that is not configured.');

function encrypt(plaintext: Uint8Array, key: Buffer, context: string): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
  return Buffer.concat([nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
}

function decrypt(bytes: Buffer, key: Buffer, context: string): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  })
    .setAAD(Buffer.from(context))
    .setAuthTag(bytes.subarray(-tagBytes));
  return Buffer.concat([decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()]);
}

/**
 * Stands in for an e-mail address that was erased: hexadecimal SHA-256 of the account and the address in lower case. It has no key, because
 * an address that was left must be recognized after the encryption key is replaced. So it hides the address from readers, and not from
 * someone who has the address and compares.
 */
export const hashAddress = (accountId: string, address: string): string =>
  createHash('sha256').update(`${accountId} ${address.toLowerCase()}`).digest('hex');

/** `erased:` and the hash. Stands where an erased address must be recognized, such as in histories and suppressions. */
export const erasedAddress = (accountId: string, address: string): string =>
  `erased:${hashAddress(accountId, address)}`;
