// Ways with sockets of their own: requests in one write, unread answers, streams that are opened again and again.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { request, type Agent } from 'undici';
import { callRoom } from '../live-room.ts';
import { pick, type Stage, type Way } from './way.ts';

const pipelined = 500;
const unreadMs = 3000;
const openedStreams = 50;
const chatStreams = 2000;
/** Of one registration. */
const streamsMax = 5;
const slowSockets = 300;

/** A socket to one of the processes, with what it is about to send. */
function openSocket({ origins }: Stage, turn: number, text: string): Socket {
  const { hostname, port } = new URL(pick(origins, turn));
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.write(text);
  return socket;
}

const getOf = (path: string, headers = ''): string =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`;

const keyOf = ({ attacker }: Stage): string => `Authorization: Bearer ${attacker.key}\r\n`;

export const socketWays: Record<string, Way> = {
  'pages in one write': async (stage, turn) => {
    const socket = openSocket(stage, turn, getOf('/').repeat(pipelined));
    let received = 0;
    socket.on('data', (chunk: Buffer) => (received += chunk.length));
    await Promise.race([once(socket, 'close'), delay(unreadMs)]);
    socket.destroy();
    return received > 0 ? 200 : 0;
  },
  'calls in one write': async (stage, turn) => {
    const socket = openSocket(
      stage,
      turn,
      getOf('/api/v1/webinars?limit=100', keyOf(stage)).repeat(pipelined),
    );
    socket.resume();
    await Promise.race([once(socket, 'close'), delay(unreadMs)]);
    socket.destroy();
    return 200;
  },
  'aborted pages': async (stage, turn) => {
    const socket = openSocket(stage, turn, getOf('/').repeat(pipelined));
    await once(socket, 'connect');
    await delay(turn % 3);
    if (turn % 2 === 0) socket.resetAndDestroy();
    else socket.destroy();
    return 200;
  },
  'unread answers': async (stage, turn) => {
    const path = turn % 2 === 0 ? '/api/v1/openapi.json' : '/api/v1/webinars?limit=100';
    const sockets = Array.from({ length: 10 }, () =>
      openSocket(stage, turn, getOf(path, keyOf(stage)).repeat(20)),
    );
    await delay(unreadMs);
    for (const socket of sockets) socket.destroy();
    return 200;
  },
  'reopened streams': async ({ origins, room }, turn, agent) => {
    const bodies = await Promise.all(
      Array.from({ length: openedStreams }, (_, index) =>
        openStream({
          origin: pick(origins, turn),
          join: room.attendees.at(-1 - (index % (openedStreams / streamsMax)))!.join,
          agent,
        }),
      ),
    );
    for (const { body } of bodies) body.on('error', () => undefined).destroy();
    return bodies[0]!.statusCode;
  },
  chat: async ({ origins, room }, turn, agent) => {
    const path = `${pick(room.attendees, turn).join}/messages`;
    return (await callRoom({ origin: pick(origins, turn), agent, path, body: { text: 'x'.repeat(1000) } }))
      .status;
  },
};

interface StreamOptions {
  origin: string;
  join: string;
  agent: Agent;
}

const openStream = ({ origin, join, agent }: StreamOptions) =>
  request(`${origin}/room/${join}/events`, { dispatcher: agent, headers: { accept: 'text/event-stream' } });

/** Streams that listen to the chat of the attacker's room for as long as the attack goes on. */
export function listenToChat(stage: Stage): { stop(): void } {
  const text = (index: number): string =>
    getOf(
      `/room/${stage.room.attendees[Math.floor(index / streamsMax)]!.join}/events`,
      'Accept: text/event-stream\r\n',
    );
  const sockets = Array.from({ length: chatStreams }, (_, index) =>
    openSocket(stage, index, text(index)).resume(),
  );
  return { stop: () => sockets.forEach((socket) => socket.destroy()) };
}

/** Requests whose bodies come a byte a second; one that the server ends is begun again. */
export function dripBodies(stage: Stage): { stop(): void } {
  const sockets = new Map<number, Socket>();
  const open = (index: number): void => {
    const head = `POST /api/v1/webinars/${stage.room.webinarId}/registrations HTTP/1.1\r\nHost: localhost\r\n`;
    const type = 'Content-Type: application/json\r\nContent-Length: 100000\r\n\r\n{';
    const socket = openSocket(stage, index, head + keyOf(stage) + type);
    socket.on('close', () => sockets.delete(index));
    sockets.set(index, socket);
  };
  const timer = setInterval(() => {
    for (let index = 0; index < slowSockets; index += 1) {
      const socket = sockets.get(index);
      if (socket) socket.write(' ');
      // Few at a time: 300 handshakes at once would be another attack.
      else if (index % 10 === Math.floor(performance.now() / 1000) % 10) open(index);
    }
  }, 1000);
  return {
    stop() {
      clearInterval(timer);
      for (const socket of sockets.values()) socket.destroy();
    },
  };
}
