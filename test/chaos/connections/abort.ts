// Ways in which a client sends requests and goes away.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { RouteRequest } from './routes.ts';

interface Attempt {
  socket: Socket;
  /** The text of one request, without its body. */
  head(method?: string, headers?: string): string;
  /** The text of a request with a body, where its method has one. */
  whole: string;
  hasBody: boolean;
}

/** Requests that are sent in one write. The last of them is more than may wait. */
export const requestsInOneWrite = 14;

const body = JSON.stringify({ title: 'x'.repeat(2000) });
const json = 'Content-Type: application/json\r\n';
const pauseMs = 5;

/** Returns the number of requests that it has sent. */
type Way = (attempt: Attempt) => Promise<number>;

export const ways: Readonly<Record<string, Way>> = {
  async 'all in one write, then the end'({ socket, whole }) {
    socket.end(whole.repeat(requestsInOneWrite));
    await Promise.race([once(socket, 'data'), delay(pauseMs)]);
    socket.destroy();
    return requestsInOneWrite;
  },
  async 'all in one write, then a reset'({ socket, whole }) {
    socket.write(whole.repeat(requestsInOneWrite));
    await delay(pauseMs);
    socket.resetAndDestroy();
    return requestsInOneWrite;
  },
  async 'one and a half requests'({ socket, whole }) {
    socket.write(whole + whole.slice(0, whole.length / 2));
    await delay(pauseMs);
    socket.resetAndDestroy();
    return 2;
  },
  async 'away after the first answer'({ socket, whole }) {
    socket.write(whole.repeat(3));
    await Promise.race([once(socket, 'data'), delay(500)]);
    socket.destroy();
    return 3;
  },
  async 'written slowly'({ socket, whole }) {
    for (let from = 0; from < whole.length && from < 400; from += 80) {
      socket.write(whole.slice(from, from + 80));
      await delay(1);
    }
    socket.resetAndDestroy();
    return 1;
  },
  async 'HEAD, or an announced body that never comes'({ socket, head, hasBody }) {
    const announced = head(undefined, `${json}Expect: 100-continue\r\nContent-Length: 2000\r\n`);
    socket.write(hasBody ? announced : head('HEAD').repeat(3));
    await Promise.race([once(socket, 'data'), delay(pauseMs)]);
    socket.resetAndDestroy();
    return hasBody ? 1 : 3;
  },
  async 'half a body with any method'({ socket, head }) {
    socket.write(head(undefined, `${json}Content-Length: 200000\r\n`) + 'x'.repeat(70_000));
    await delay(pauseMs);
    socket.resetAndDestroy();
    return 1;
  },
  async 'nothing is read'({ socket, whole }) {
    socket.pause();
    socket.write(whole.repeat(3));
    await delay(4 * pauseMs);
    socket.resetAndDestroy();
    return 3;
  },
};

interface Sender {
  origin: string;
  /** Header lines. */
  headers: string;
}

/** Sends requests to a route in one way. Returns their number. */
export async function abort(way: Way, route: RouteRequest, { origin, headers }: Sender): Promise<number> {
  const { hostname, port, host } = new URL(origin);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  // Otherwise the answers would wait in memory.
  socket.on('data', () => undefined);
  await Promise.race([once(socket, 'connect'), once(socket, 'close')]);
  const hasBody = route.method !== 'GET' && route.method !== 'HEAD';
  const head = (method = route.method, more = ''): string =>
    `${method} ${route.path} HTTP/1.1\r\nHost: ${host}\r\n${headers}${more}\r\n`;
  const whole = hasBody ? head(undefined, `${json}Content-Length: ${body.length}\r\n`) + body : head();
  const sent = await way({ socket, head, whole, hasBody });
  if (!socket.destroyed) socket.destroy();
  return sent;
}
