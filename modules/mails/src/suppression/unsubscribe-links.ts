// An unsubscribe token is base64url of account id (16 bytes), a MAC (16 bytes) and the address. It is proved in memory and never
// stored.
import { createHmac, timingSafeEqual } from 'node:crypto';

export interface UnsubscribeLinks {
  urlOf(recipient: Recipient): string;
  /** Undefined for a text that is not a token of this service. */
  read(token: string): Recipient | undefined;
}

interface Recipient {
  accountId: string;
  address: string;
}

interface LinkOptions {
  key: string;
  /** Links in sent mails survive a new encryption key. */
  formerKeys?: readonly string[];
  /** Without a trailing slash. */
  baseUrl: string;
}

const idBytes = 16;
const macBytes = 16;
const tokenLengthMax = 500;

export function createUnsubscribeLinks({ key, formerKeys = [], baseUrl }: LinkOptions): UnsubscribeLinks {
  return {
    urlOf({ accountId, address }) {
      const id = Buffer.from(accountId.replaceAll('-', ''), 'hex');
      const bytes = Buffer.concat([id, macOf(id, address, key), Buffer.from(address)]);
      return `${baseUrl}/unsubscribe/${bytes.toString('base64url')}`;
    },
    read(token) {
      if (token.length > tokenLengthMax) return undefined;
      const bytes = Buffer.from(token, 'base64url');
      if (bytes.length <= idBytes + macBytes || bytes.toString('base64url') !== token) return undefined;
      const id = bytes.subarray(0, idBytes);
      const mac = bytes.subarray(idBytes, idBytes + macBytes);
      const address = bytes.subarray(idBytes + macBytes).toString();
      const isOurs = [key, ...formerKeys].some((each) => timingSafeEqual(mac, macOf(id, address, each)));
      const accountId = id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/u, '$1-$2-$3-$4-$5');
      return isOurs ? { accountId, address } : undefined;
    },
  };
}

const macOf = (id: Buffer, address: string, key: string): Buffer =>
  createHmac('sha256', key).update('unsubscribe-1').update(id).update(address).digest().subarray(0, macBytes);
