import { expect } from 'vitest';
import { startReceiver } from '../../support/receiver.ts';
import { expired, good, ofAnotherHost, selfSigned } from './certificates.ts';
import { delivered, failed, type Row } from './row.ts';
import { startTlsReceiver } from './sockets.ts';

const bad = (name: string, host: string, cert: string, code: string): Row => ({
  name,
  start: () => startTlsReceiver({ host, cert }),
  expected: failed('tls', { calls: 0 }),
  also({ delivery }) {
    expect(delivery.attemptLog[0]!.failureMessage).toContain(code);
  },
});

export const tlsRows: Row[] = [
  {
    name: 'has a certificate of an authority that is trusted',
    start: () => startTlsReceiver({ host: 'good.test', cert: good }),
    expected: delivered(200, { responseSnippet: 'ok' }),
  },
  bad('has a certificate of another host', 'wrong-host.test', ofAnotherHost, 'ERR_TLS_CERT_ALTNAME_INVALID'),
  bad('has a certificate that has expired', 'expired.test', expired, 'CERT_HAS_EXPIRED'),
  bad('has signed its certificate itself', 'self-signed.test', selfSigned, 'DEPTH_ZERO_SELF_SIGNED_CERT'),
  {
    name: 'speaks plain HTTP where TLS is expected',
    async start() {
      const receiver = await startReceiver();
      return { ...receiver, url: receiver.url.replace('http:', 'https:') };
    },
    expected: failed('tls', { calls: 0 }),
  },
];
