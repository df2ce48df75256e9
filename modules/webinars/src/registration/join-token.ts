// A join token is base64url of account id (16 bytes), registration id (16) and the start of an HMAC over registration id and
// token version (16). It can be made again at any time, so nothing of it is stored, and it says where to look it up.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Registration } from './registration.ts';

type TokenHolder = Pick<Registration, 'accountId' | 'id' | 'tokenVersion'>;

/** What a token claims. Only `verify` tells whether it is the current token of the registration found by these ids. */
export interface JoinToken {
  accountId: string;
  registrationId: string;
  verify(registration: TokenHolder): boolean;
}

export interface JoinLinks {
  /** The address a registrant joins at. */
  urlOf(registration: TokenHolder): string;
  /** Null for a text that cannot be a token. */
  read(token: string): JoinToken | null;
}

interface JoinLinksOptions {
  key: string;
  /** Tokens made with these still open, so that a new encryption key does not void the links people have in their mail. */
  formerKeys?: readonly string[];
  /** Without a trailing slash. */
  baseUrl: string;
}

/** Makes and reads the links people join with: `{baseUrl}/room/{token}`. */
export function createJoinLinks({ key, formerKeys = [], baseUrl }: JoinLinksOptions): JoinLinks {
  return {
    urlOf(registration) {
      const { accountId, id } = registration;
      const bytes = Buffer.concat([idToBytes(accountId), idToBytes(id), macOf(registration, key)]);
      return `${baseUrl}/room/${bytes.toString('base64url')}`;
    },
    read(token) {
      if (!/^[\w-]{64}$/.test(token)) return null;
      const bytes = Buffer.from(token, 'base64url');
      const accountId = bytesToId(bytes.subarray(0, 16));
      const registrationId = bytesToId(bytes.subarray(16, 32));
      const mac = bytes.subarray(32);
      return {
        accountId,
        registrationId,
        verify: (registration) =>
          registration.accountId === accountId &&
          registration.id === registrationId &&
          [key, ...formerKeys].some((candidate) => timingSafeEqual(mac, macOf(registration, candidate))),
      };
    },
  };
}

const macOf = ({ id, tokenVersion }: TokenHolder, key: string): Buffer =>
  createHmac('sha256', key).update(`${id}.${tokenVersion}`).digest().subarray(0, 16);

const idToBytes = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex');

const bytesToId = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
