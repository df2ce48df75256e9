// The text of a key: `svc_live_` and 32 random base62 characters, 190 bits. With underscores a double click selects all of it.
import { hash, randomBytes } from 'node:crypto';

const prefix = 'svc_live_';
const bodyLength = 32;
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** The largest multiple of 62 in a byte. Bytes from here on are dropped, since they would make some characters likelier. */
const fairBytes = 256 - (256 % alphabet.length);

const form = new RegExp(`^${prefix}[0-9A-Za-z]{${bodyLength}}$`);

export interface KeyText {
  key: string;
  /** `svc_live_` and the first four characters of the body. */
  prefix: string;
  /** The last four characters. */
  hint: string;
  hash: Buffer;
}

/** Creates a key from random bytes by rejection sampling. `random` is an argument for tests only. */
export function createKeyText(random: (size: number) => Uint8Array = randomBytes): KeyText {
  let body = '';
  while (body.length < bodyLength) {
    for (const byte of random(bodyLength)) {
      if (byte < fairBytes && body.length < bodyLength) body += alphabet[byte % alphabet.length]!;
    }
  }
  const key = prefix + body;
  return { key, prefix: prefix + body.slice(0, 4), hint: body.slice(-4), hash: hashKey(key) };
}

/** A fast hash is enough: a key has 190 bits, so it cannot be guessed from a stolen digest. */
export const hashKey = (key: string): Buffer => hash('sha256', key, 'buffer');

/** The key of an `Authorization: Bearer <key>` header, or undefined when the header has no well-formed key. */
export function keyOfHeader(header: string | undefined): string | undefined {
  const key = /^Bearer +([\w]{1,64}) *$/i.exec(header ?? '')?.[1];
  return key !== undefined && form.test(key) ? key : undefined;
}
