import { startReceiver } from '../../support/receiver.ts';
import type { Zone } from '../../support/dns-server.ts';
import { failed, type Row } from './row.ts';
import { noReceiver } from './sockets.ts';

/** The only private address that workers of these tests may call. */
export const allowed = '127.0.0.1';
export const forbidden = '127.0.0.2';

export const zone: Zone = {
  'good.test': [allowed],
  'wrong-host.test': [allowed],
  'expired.test': [allowed],
  'self-signed.test': [allowed],
  'flips.test': [allowed, forbidden],
  'silent.test': ['silence'],
};

export const nameRows: Row[] = [
  {
    name: 'has a name that resolves to a private address from the second attempt on',
    async start() {
      // After a 429 the second attempt comes within a second. Without the connection it must resolve the name again.
      const receiver = await startReceiver((_request, response) =>
        response.writeHead(429, { 'retry-after': '0', connection: 'close' }).end(),
      );
      return { ...receiver, url: receiver.url.replace(allowed, 'flips.test') };
    },
    expected: failed('blocked_address', { attempts: 2, calls: 1 }),
  },
  {
    name: 'has a name for which DNS gives no answer',
    start: () => Promise.resolve(noReceiver('http://silent.test/hook')),
    expected: failed('dns', { calls: 0 }),
  },
  {
    name: 'has a name that does not exist',
    start: () => Promise.resolve(noReceiver('http://missing.test/hook')),
    expected: failed('dns', { calls: 0 }),
  },
];
