// The address for the reports of a provider contains the connection and a secret: base64url of the account's id and a MAC. It is
// proved in memory, so a stranger's request costs no statement.
import { createHmac, timingSafeEqual } from 'node:crypto';

interface Reporter {
  accountId: string;
  connectionId: string;
}

export interface ReportLinks {
  urlOf(reporter: Reporter): string;
  /** The account. Undefined for a secret that was not made for this connection. */
  read(connectionId: string, secret: string): string | undefined;
}

const idBytes = 16;
const macBytes = 16;

export function createReportLinks({
  key,
  formerKeys = [],
  baseUrl,
}: {
  key: string;
  formerKeys?: readonly string[];
  /** Without a trailing slash. */
  baseUrl: string;
}): ReportLinks {
  return {
    urlOf({ accountId, connectionId }) {
      const id = Buffer.from(accountId.replaceAll('-', ''), 'hex');
      const secret = Buffer.concat([id, macOf(id, connectionId, key)]).toString('base64url');
      return `${baseUrl}/api/webhooks/mail/${connectionId}/${secret}`;
    },
    read(connectionId, secret) {
      const bytes = Buffer.from(secret.slice(0, 100), 'base64url');
      if (bytes.length !== idBytes + macBytes || bytes.toString('base64url') !== secret) return undefined;
      const id = bytes.subarray(0, idBytes);
      const mac = bytes.subarray(idBytes);
      const isOurs = [key, ...formerKeys].some((each) => timingSafeEqual(mac, macOf(id, connectionId, each)));
      if (!isOurs) return undefined;
      return id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/u, '$1-$2-$3-$4-$5');
    },
  };
}

const macOf = (id: Buffer, connectionId: string, key: string): Buffer =>
  createHmac('sha256', key)
    .update('mail-reports-1')
    .update(id)
    .update(connectionId.toLowerCase())
    .digest()
    .subarray(0, macBytes);
