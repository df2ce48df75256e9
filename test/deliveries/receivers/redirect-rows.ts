import type { RequestListener } from 'node:http';
import { expect } from 'vitest';
import { startReceiver, type Receiver } from '../../support/receiver.ts';
import { forbidden } from './name-rows.ts';
import { delivered, failed, refused, type Expected, type Row } from './row.ts';
import { startTcpReceiver } from './sockets.ts';

/** Characters that are special in an array of texts in Postgres. A URL does not change them. */
const awkwardQuery = '?a={1,2}&b=\\&c=NULL';

/** Counts down in its path, and answers nothing but POST. */
const countdown: RequestListener = (request, response) => {
  const step = Number(/\d+/.exec(request.url!)![0]);
  if (request.method !== 'POST') response.writeHead(405).end();
  else if (step === 0) response.end('there');
  else response.writeHead([301, 302, 307, 308][step % 4]!, { location: `/${step - 1}${awkwardQuery}` }).end();
};

const chain = (steps: number, expected: Expected): Row => ({
  name: `redirects ${steps} times`,
  async start() {
    const receiver = await startReceiver(countdown);
    return { ...receiver, url: new URL(`/${steps}`, receiver.url).href };
  },
  expected,
  also({ delivery: { attemptLog, body }, receiver }) {
    const followed = [1, 2, 3].map((step) => new URL(`/${steps - step}${awkwardQuery}`, receiver.url).href);
    expect(attemptLog[0]!.redirects).toEqual(followed);
    expectSameMessage(receiver, body);
  },
});

function expectSameMessage({ received }: Receiver, body: string): void {
  for (const call of received) {
    expect(call.body.toString()).toBe(body);
    expect(call.headers['x-service-signature']).toBe(received[0]!.headers['x-service-signature']);
    expect(call.headers['webhook-id']).toBe(received[0]!.headers['webhook-id']);
  }
}

/** Redirects to a blocked address with a receiver that would answer. */
function inwards(): Row {
  let inside: Receiver;
  return {
    name: 'redirects to a private address',
    async start(opened) {
      inside = opened.use(await startTcpReceiver((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n')));
      const location = inside.url.replace('127.0.0.1', forbidden);
      return startReceiver((_request, response) => response.writeHead(307, { location }).end());
    },
    expected: failed('blocked_address'),
    also({ delivery }) {
      expect(inside.received).toEqual([]);
      expect(delivery.attemptLog[0]!.redirects).toEqual([inside.url.replace('127.0.0.1', forbidden)]);
    },
  };
}

export const redirectRows: Row[] = [
  chain(3, delivered(200, { responseSnippet: 'there', calls: 4 })),
  chain(4, failed('too_many_redirects', { calls: 4 })),
  {
    name: 'redirects to itself',
    start: () => startReceiver((_request, response) => response.writeHead(308, { location: '/hook' }).end()),
    expected: failed('too_many_redirects', { calls: 4 }),
    also({ delivery, receiver }) {
      expect(delivery.attemptLog[0]!.redirects).toEqual(Array.from({ length: 3 }, () => receiver.url));
    },
  },
  inwards(),
  {
    name: 'answers 303 to a page that says 200',
    start: () =>
      startReceiver((request, response) => {
        if (request.url === '/thanks') response.end('thanks');
        else response.writeHead(303, { location: '/thanks' }).end('see there');
      }),
    expected: refused(303, { responseSnippet: 'see there' }),
    also({ delivery }) {
      expect(delivery.attemptLog[0]!.redirects).toEqual([]);
    },
  },
];
