import { startReceiver } from '../../support/receiver.ts';
import type { Zone } from './dns-server.ts';
import { failed, type Row } from './row.ts';
import { nobody } from './sockets.ts';

/** The only address that workers of these tests may call, though it is as private as the other. */
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
    name: 'has a name that leads to a private address from the second attempt on',
    async start() {
      // 429 brings the second attempt within a second; without the connection it has to look the name up again.
      const receiver = await startReceiver((_request, response) =>
        response.writeHead(429, { 'retry-after': '0', connection: 'close' }).end(),
      );
      return { ...receiver, url: receiver.url.replace(allowed, 'flips.test') };
    },
    expected: failed('blocked_address', { attempts: 2, calls: 1 }),
  },
  {
    name: 'has a name of which DNS says nothing',
    start: () => Promise.resolve(nobody('http://silent.test/hook')),
    expected: failed('dns', { calls: 0 }),
  },
  {
    name: 'has a name that does not exist',
    start: () => Promise.resolve(nobody('http://nobody.test/hook')),
    expected: failed('dns', { calls: 0 }),
  },
];
