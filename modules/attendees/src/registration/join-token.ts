// A join token is base64url of account id (16 bytes), registration id (16), token version (4) and the first 16 bytes of an HMAC
// over them. It is proved in memory, so a forged token costs no query. It can be computed again at any time, so it is never
// stored. The token of a click link has the interaction's id (16) before the HMAC.
//
// Tokens of the former form, without a version, were mailed and stay valid: account id, registration id (and interaction id),
// HMAC over registration id and version. To prove one, the version must be read from the database.
import { bytesToId, idBytes, idToBytes } from '@service/database';
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Registration } from '../entities/registration.ts';

type TokenHolder = Pick<Registration, 'accountId' | 'id' | 'tokenVersion'>;

/** A proved token: this service made it for the registration. After a rotation its `tokenVersion` is not the registration's. */
export interface JoinToken {
  accountId: string;
  registrationId: string;
  tokenVersion: number;
}

/** The proved token of a click link. */
export interface ClickToken extends JoinToken {
  interactionId: string;
}

/** A token without a version. Until it is proved, the registration is only a claim. */
export interface FormerToken<Token> {
  isProved: false;
  accountId: string;
  registrationId: string;
  /** The token, or null if it was not made for this version of the registration. */
  prove(tokenVersion: number): Token | null;
}

export type ReadToken<Token> = { isProved: true; token: Token } | FormerToken<Token>;

export interface JoinLinks {
  /** The personal join link of a registration. */
  urlOf(registration: TokenHolder): string;
  /** The link that records the registrant's click on an interaction. Rotating the join token makes it invalid. */
  clickUrlOf(registration: TokenHolder, interactionId: string): string;
  /** Null for a text that is not a token of this service. */
  read(text: string): ReadToken<JoinToken> | null;
  /** Like `read`, for the token of a click link. */
  readClick(text: string): ReadToken<ClickToken> | null;
}

interface JoinLinksOptions {
  key: string;
  /** Tokens made with these keys stay valid, so links in sent mails survive a new encryption key. */
  formerKeys?: readonly string[];
  /** Without a trailing slash. */
  baseUrl: string;
}

/** Makes and reads join links, `{baseUrl}/room/{token}`, and click links, `{baseUrl}/r/{token}`. */
export function createJoinLinks({ key, formerKeys = [], baseUrl }: JoinLinksOptions): JoinLinks {
  const keys = [key, ...formerKeys];
  const isMadeBy = (mac: Buffer, messages: readonly (string | Buffer)[]): boolean =>
    keys.some((candidate) => timingSafeEqual(mac, macOf(messages, candidate)));

  const toToken = (kind: Kind, head: Buffer): string =>
    Buffer.concat([head, macOf([kind, head], key)]).toString('base64url');

  return {
    urlOf: (registration) => `${baseUrl}/room/${toToken('join-2', headOf(registration))}`,
    clickUrlOf(registration, interactionId) {
      const head = Buffer.concat([headOf(registration), idToBytes(interactionId)]);
      return `${baseUrl}/r/${toToken('click-2', head)}`;
    },
    read(text) {
      const bytes = textToBytes(text, [joinBytes, formerJoinBytes]);
      if (!bytes) return null;
      const { head, mac } = split(bytes);
      if (bytes.length === joinBytes)
        return isMadeBy(mac, ['join-2', head]) ? { isProved: true, token: tokenOf(head) } : null;
      return formerToken(
        idsOf(head),
        (token) => token,
        (token) => isMadeBy(mac, [formerJoinMessage(token)]),
      );
    },
    readClick(text) {
      const bytes = textToBytes(text, [clickBytes, formerClickBytes]);
      if (!bytes) return null;
      const { head, mac } = split(bytes);
      const interactionId = bytesToId(head.subarray(head.length - idBytes));
      if (bytes.length === clickBytes) {
        const isProved = isMadeBy(mac, ['click-2', head]);
        return isProved ? { isProved, token: { ...tokenOf(head), interactionId } } : null;
      }
      return formerToken(
        idsOf(head),
        (token) => ({ ...token, interactionId }),
        (token) => isMadeBy(mac, [formerClickMessage(token)]),
      );
    },
  };
}

/** Prefix of the HMAC's message. No id and no message of the former form starts with it, so no token passes for another kind. */
type Kind = 'join-2' | 'click-2';

const versionBytes = 4;
const macBytes = 16;
const formerJoinBytes = 2 * idBytes + macBytes;
const formerClickBytes = formerJoinBytes + idBytes;
const joinBytes = formerJoinBytes + versionBytes;
const clickBytes = formerClickBytes + versionBytes;

/** Accepts one spelling of a token: the unused bits of the last character must be zero. */
function textToBytes(text: string, lengths: readonly number[]): Buffer | null {
  if (text.length > 100) return null;
  const bytes = Buffer.from(text, 'base64url');
  return lengths.includes(bytes.length) && bytes.toString('base64url') === text ? bytes : null;
}

const split = (bytes: Buffer): { head: Buffer; mac: Buffer } => ({
  head: bytes.subarray(0, -macBytes),
  mac: bytes.subarray(-macBytes),
});

function headOf({ accountId, id, tokenVersion }: TokenHolder): Buffer {
  const version = Buffer.alloc(versionBytes);
  version.writeUInt32BE(tokenVersion);
  return Buffer.concat([idToBytes(accountId), idToBytes(id), version]);
}

const idsOf = (head: Buffer): Pick<JoinToken, 'accountId' | 'registrationId'> => ({
  accountId: bytesToId(head.subarray(0, idBytes)),
  registrationId: bytesToId(head.subarray(idBytes, 2 * idBytes)),
});

const tokenOf = (head: Buffer): JoinToken => ({
  ...idsOf(head),
  tokenVersion: head.readUInt32BE(2 * idBytes),
});

const formerToken = <Token>(
  ids: Pick<JoinToken, 'accountId' | 'registrationId'>,
  toToken: (token: JoinToken) => Token,
  isOurs: (token: Token) => boolean,
): FormerToken<Token> => ({
  isProved: false,
  ...ids,
  prove(tokenVersion) {
    const token = toToken({ ...ids, tokenVersion });
    return isOurs(token) ? token : null;
  },
});

const formerJoinMessage = ({ registrationId, tokenVersion }: JoinToken): string =>
  `${registrationId}.${tokenVersion}`;

const formerClickMessage = ({ registrationId, tokenVersion, interactionId }: ClickToken): string =>
  `click.${registrationId}.${tokenVersion}.${interactionId}`;

function macOf(messages: readonly (string | Buffer)[], key: string): Buffer {
  const hmac = createHmac('sha256', key);
  for (const message of messages) hmac.update(message);
  return hmac.digest().subarray(0, macBytes);
}
