// The text of a credential: a prefix and 32 random base62 characters, 190 bits. With underscores a double click selects all of it.
import { hash, randomBytes } from 'node:crypto';

const bodyLength = 32;
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** The largest multiple of 62 in a byte. Bytes from here on are dropped, since they would make some characters likelier. */
const fairBytes = 256 - (256 % alphabet.length);

export interface CredentialText {
  /** Creates a text from random bytes by rejection sampling. `random` is an argument for tests only. */
  create(random?: (size: number) => Uint8Array): string;
  /** The credential of an `Authorization: Bearer ...` header, or undefined when the header has no well-formed one. */
  ofHeader(header: string | undefined): string | undefined;
}

/** The texts of one kind of credential. A credential of another kind is not well-formed here. */
export function credentialText(prefix: string): CredentialText {
  const form = new RegExp(`^${prefix}[0-9A-Za-z]{${bodyLength}}$`);
  return {
    create(random = randomBytes) {
      let body = '';
      while (body.length < bodyLength) {
        for (const byte of random(bodyLength)) {
          if (byte < fairBytes && body.length < bodyLength) body += alphabet[byte % alphabet.length]!;
        }
      }
      return prefix + body;
    },
    ofHeader(header) {
      const text = /^Bearer +([\w]{1,64}) *$/i.exec(header ?? '')?.[1];
      return text !== undefined && form.test(text) ? text : undefined;
    },
  };
}

/** A fast hash is enough: a credential has 190 bits, so it cannot be guessed from a stolen digest. */
export const hashCredential = (text: string): Buffer => hash('sha256', text, 'buffer');

export const keyText = credentialText('svc_live_');
export const accessTokenText = credentialText('svc_at_');
