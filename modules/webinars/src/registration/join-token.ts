// A join token is base64url of account id (16 bytes), registration id (16) and the start of an HMAC over registration id and
// token version (16). It can be made again at any time, so nothing of it is stored, and it says where to look it up. The
// token of a click link is the same with the interaction's id in front of the HMAC, which covers it as well.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Registration } from './registration.ts';

type TokenHolder = Pick<Registration, 'accountId' | 'id' | 'tokenVersion'>;

/** What a token claims. Only `verify` tells whether it is the current token of the registration found by these ids. */
export interface JoinToken {
  accountId: string;
  registrationId: string;
  verify(registration: TokenHolder): boolean;
}

/** What the token of a click link claims. */
export interface ClickToken extends JoinToken {
  interactionId: string;
}

export interface JoinLinks {
  /** The address a registrant joins at. */
  urlOf(registration: TokenHolder): string;
  /** The address that records a registrant's click on an interaction. Void once the join token is rotated. */
  clickUrlOf(registration: TokenHolder, interactionId: string): string;
  /** Null for a text that cannot be a token. */
  read(token: string): JoinToken | null;
  /** The same for the token of a click link. */
  readClick(token: string): ClickToken | null;
}

interface JoinLinksOptions {
  key: string;
  /** Tokens made with these still open, so that a new encryption key does not void the links people have in their mail. */
  formerKeys?: readonly string[];
  /** Without a trailing slash. */
  baseUrl: string;
}

/** Makes and reads the links people join with, `{baseUrl}/room/{token}`, and those they click, `{baseUrl}/r/{token}`. */
export function createJoinLinks({ key, formerKeys = [], baseUrl }: JoinLinksOptions): JoinLinks {
  // By the registration's own ids: a token that names another one is not its token.
  const provedBy =
    ({ ids, mac }: TokenParts, messageOf: (registration: TokenHolder) => string) =>
    (registration: TokenHolder): boolean =>
      registration.accountId === ids[0] &&
      registration.id === ids[1] &&
      [key, ...formerKeys].some((candidate) =>
        timingSafeEqual(mac, macOf(messageOf(registration), candidate)),
      );

  return {
    urlOf(registration) {
      const mac = macOf(joinMessage(registration), key);
      return `${baseUrl}/room/${toToken([registration.accountId, registration.id], mac)}`;
    },
    clickUrlOf(registration, interactionId) {
      const mac = macOf(clickMessage(registration, interactionId), key);
      return `${baseUrl}/r/${toToken([registration.accountId, registration.id, interactionId], mac)}`;
    },
    read(token) {
      const parts = readToken(token, joinForm);
      if (!parts) return null;
      const [accountId, registrationId] = parts.ids as [string, string];
      return { accountId, registrationId, verify: provedBy(parts, joinMessage) };
    },
    readClick(token) {
      const parts = readToken(token, clickForm);
      if (!parts) return null;
      const [accountId, registrationId, interactionId] = parts.ids as [string, string, string];
      const verify = provedBy(parts, (registration) => clickMessage(registration, interactionId));
      return { accountId, registrationId, interactionId, verify };
    },
  };
}

/** The registration that a join token or the token of a click link names, proved or not; null where there is none in it. */
export const claimedRegistrationId = (token: string): string | null =>
  (readToken(token, joinForm) ?? readToken(token, clickForm))?.ids[1] ?? null;

const joinForm = /^[\w-]{64}$/;
// Of the last character only two bits belong to the 64 bytes; with the others set it would be a second text for the same token.
const clickForm = /^[\w-]{85}[AQgw]$/;

const joinMessage = ({ id, tokenVersion }: TokenHolder): string => `${id}.${tokenVersion}`;

// Begins with what no id does, so that neither kind of token can ever be taken for the other.
const clickMessage = ({ id, tokenVersion }: TokenHolder, interactionId: string): string =>
  `click.${id}.${tokenVersion}.${interactionId}`;

const macBytes = 16;

const macOf = (message: string, key: string): Buffer =>
  createHmac('sha256', key).update(message).digest().subarray(0, macBytes);

const toToken = (ids: readonly string[], mac: Buffer): string =>
  Buffer.concat([...ids.map(idToBytes), mac]).toString('base64url');

interface TokenParts {
  ids: string[];
  mac: Buffer;
}

function readToken(token: string, form: RegExp): TokenParts | null {
  if (!form.test(token)) return null;
  const bytes = Buffer.from(token, 'base64url');
  const macAt = bytes.length - macBytes;
  const ids = Array.from({ length: macAt / 16 }, (_, index) =>
    bytesToId(bytes.subarray(index * 16, index * 16 + 16)),
  );
  return { ids, mac: bytes.subarray(macAt) };
}

const idToBytes = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex');

const bytesToId = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
