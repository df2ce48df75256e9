// Addresses that prove themselves: of the unsubscribe page, and of the reports of a provider. Both contain base64url of the account's
// id, a MAC and what else they are about. They are proved in memory and never stored, so a stranger's request costs no statement.
import { bytesToId, idBytes, idToBytes } from '@service/database';
import { createHmac, timingSafeEqual } from 'node:crypto';

interface LinkOptions {
  key: string;
  /** Links in sent mails survive a new encryption key. */
  formerKeys?: readonly string[];
  /** Without a trailing slash. */
  baseUrl: string;
}

interface Recipient {
  accountId: string;
  address: string;
}

export interface UnsubscribeLinks {
  urlOf(recipient: Recipient): string;
  /** Undefined for a text that is not a token of this service. */
  read(token: string): Recipient | undefined;
}

export function createUnsubscribeLinks({ baseUrl, ...keys }: LinkOptions): UnsubscribeLinks {
  return {
    urlOf({ accountId, address }) {
      const id = idToBytes(accountId);
      const bytes = Buffer.concat([
        id,
        macOf(['unsubscribe-1', id, address], keys.key),
        Buffer.from(address),
      ]);
      return `${baseUrl}/unsubscribe/${bytes.toString('base64url')}`;
    },
    read(token) {
      const parts = readParts(token);
      if (!parts || parts.rest.length === 0) return undefined;
      const address = parts.rest.toString();
      if (!isProved(parts.mac, ['unsubscribe-1', parts.id, address], keys)) return undefined;
      return { accountId: bytesToId(parts.id), address };
    },
  };
}

interface Reporter {
  accountId: string;
  connectionId: string;
}

export interface ReportLinks {
  urlOf(reporter: Reporter): string;
  /** The account. Undefined for a secret that was not made for this connection. */
  read(connectionId: string, secret: string): string | undefined;
}

export function createReportLinks({ baseUrl, ...keys }: LinkOptions): ReportLinks {
  return {
    urlOf({ accountId, connectionId }) {
      const id = idToBytes(accountId);
      const mac = macOf(['mail-reports-1', id, connectionId.toLowerCase()], keys.key);
      return `${baseUrl}/api/webhooks/mail/${connectionId}/${Buffer.concat([id, mac]).toString('base64url')}`;
    },
    read(connectionId, secret) {
      const parts = readParts(secret);
      if (parts?.rest.length !== 0) return undefined;
      const message = ['mail-reports-1', parts.id, connectionId.toLowerCase()];
      return isProved(parts.mac, message, keys) ? bytesToId(parts.id) : undefined;
    },
  };
}

const macBytes = 16;
const textMax = 500;

/** Undefined for a text that is too short, too long, or another spelling of the same bytes. */
function readParts(text: string): { id: Buffer; mac: Buffer; rest: Buffer } | undefined {
  if (text.length > textMax) return undefined;
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length < idBytes + macBytes || bytes.toString('base64url') !== text) return undefined;
  return {
    id: bytes.subarray(0, idBytes),
    mac: bytes.subarray(idBytes, idBytes + macBytes),
    rest: bytes.subarray(idBytes + macBytes),
  };
}

type Message = readonly (string | Buffer)[];

const isProved = (mac: Buffer, message: Message, { key, formerKeys = [] }: Omit<LinkOptions, 'baseUrl'>) =>
  [key, ...formerKeys].some((each) => timingSafeEqual(mac, macOf(message, each)));

function macOf(message: Message, key: string): Buffer {
  const hmac = createHmac('sha256', key);
  for (const part of message) hmac.update(part);
  return hmac.digest().subarray(0, macBytes);
}
