import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { percentilesOf } from '../bench/percentiles.ts';
import { readFigures, type ProcessFigures } from './connections/process-figures.ts';
import { check, type Drill } from './drill.ts';
import { openLiveRoom } from './live-room.ts';
import { waitUntil } from '../support/wait-until.ts';
import { openAccount, type Account, type ChaosWorld } from './world.ts';

const socketCount = 300;
/** Each with 30 answers of 1,000 characters to its form, so that a page of 100 has 3 MB. */
const registrationCount = 100;
const rowsOfCall = 25;
/** So slowly that few answers are made at once: the memory of waiting calls is another subject. */
const socketsOfTurn = 4;
const turnMs = 250;
/** Unread, all answers are about 900 MB. With the usual heap a process collects garbage late, and growth would say little. */
const moreMegabytesMax = 600;
const smallHeap = '--max-old-space-size=400';
/** The time without progress after which an answer ends, and some more. */
const goneWithinMs = 45_000;

export const unreadAnswers: Drill = {
  name: 'unread-answers',
  summary:
    '300 connections of one account request its largest answers, one by one, several at once, in batches, as event streams, and read ' +
    'nothing. Memory stays bounded, calls of another account go on, and after the write timeout the connections are gone.',
  seconds: 60,
  async run({ openWorld, say }) {
    const world = await openWorld({ webinars: 1 });
    const api = await world.startApi({ variables: { NODE_OPTIONS: smallHeap } });
    const account = await openAccount(world.apiOrigin, 'Greedy');
    const room = await openLiveRoom(account.call, 1);
    const requests = requestsOf(account, await fillWebinar(account), room.attendees[0]!.join);
    say('quiet');
    const quiet = await callFor(world, 3000);
    const before = await readFigures(api.origin);
    say('nothing is read');
    const peak = watchPeak(api.origin);
    const attack = openAll(api.origin, requests);
    const attacked = await callFor(world, (socketCount / socketsOfTurn) * turnMs);
    const sockets = await attack;
    const isGone = await waitUntil(
      async () => (await readFigures(api.origin)).unsentBytes === 0,
      goneWithinMs,
    );
    const { megabytes, unsent } = await peak.stop();
    const after = await readFigures(api.origin);
    for (const socket of sockets) socket.destroy();
    return {
      checks: [
        check(
          `its memory grows by at most ${moreMegabytesMax} MB`,
          megabytes - before.residentMegabytes <= moreMegabytesMax,
          `${before.residentMegabytes} -> ${megabytes} MB`,
        ),
        check(
          'its clients were too slow, so that the limits counted',
          endedOf(after) > 0,
          JSON.stringify(after.ended),
        ),
        check(
          `no unread answer is left after ${goneWithinMs / 1000} s`,
          isGone,
          `${after.unsentBytes} bytes`,
        ),
        check(
          'every call of the other account is answered',
          attacked.failed === 0,
          `${attacked.failed} failed`,
        ),
        check('the process runs', api.ended() === undefined, api.ended() ?? 'yes'),
      ],
      figures: {
        "the other account's p50 ms": `${quiet.p50.toFixed(1)} -> ${attacked.p50.toFixed(1)}, longest ${attacked.max.toFixed(0)}`,
        'most unsent MB at a check': Math.round(unsent / 1024 / 1024),
        'connections left': after.connections,
      },
    };
  },
};

const endedOf = ({ ended }: ProcessFigures): number => (ended['stalled'] ?? 0) + (ended['unsent'] ?? 0);

/** Returns the id of a webinar whose registrations are as large as may be. */
async function fillWebinar({ call }: Account): Promise<string> {
  const { id } = await call<{ id: string }>('POST /webinars', { title: 'Large' });
  const startsAt = new Date(Date.now() + 3_600_000).toISOString();
  const session = await call<{ startsAt: string }>(`POST /webinars/${id}/sessions`, {
    startsAt,
    control: 'api',
  });
  await call(`POST /webinars/${id}/publish`);
  const customFields = Object.fromEntries(
    Array.from({ length: 30 }, (_, field) => [`field${field}`, 'x'.repeat(1000)]),
  );
  for (let from = 0; from < registrationCount; from += rowsOfCall) {
    const registrations = Array.from({ length: rowsOfCall }, (_, row) => ({
      name: 'Ada',
      email: `long-${from + row}@example.com`,
      sessionTime: session.startsAt,
      customFields,
    }));
    await call(`POST /webinars/${id}/registrations/bulk`, { registrations });
  }
  return id;
}

/** The text of what a connection sends. */
function requestsOf({ key, cookie, accountId }: Account, webinarId: string, join: string): string[] {
  const get = (path: string, headers: string): string =>
    `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`;
  const bearer = `Authorization: Bearer ${key}\r\n`;
  const list = `/api/v1/webinars/${webinarId}/registrations?limit=100`;
  const input = encodeURIComponent(
    JSON.stringify(Object.fromEntries([0, 1, 2].map((index) => [index, { webinarId, limit: 100 }]))),
  );
  const names = Array(3).fill('registrations.list').join(',');
  const session = `Cookie: ${cookie}\r\nX-Workspace: ${accountId}\r\n`;
  return [
    get(list, bearer),
    get(list, bearer).repeat(6),
    get(list, `${bearer}Accept-Encoding: br\r\n`),
    get(`/trpc/${names}?batch=1&input=${input}`, session),
    get('/api/v1/docs/scalar.js', ''),
    get(`/room/${join}/events`, 'Accept: text/event-stream\r\n'),
  ];
}

async function openAll(origin: string, requests: readonly string[]): Promise<Socket[]> {
  const sockets: Socket[] = [];
  while (sockets.length < socketCount) {
    sockets.push(openUnread(origin, requests[sockets.length % requests.length]!));
    if (sockets.length % socketsOfTurn === 0) await delay(turnMs);
  }
  return sockets;
}

function openUnread(origin: string, text: string): Socket {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname).pause();
  socket.on('error', () => undefined);
  socket.write(text);
  return socket;
}

/** Calls one after the other. A call that takes longer than 20 s counts as failed. */
export async function callFor({ apiOrigin, key }: ChaosWorld, ms: number) {
  const times: number[] = [];
  let failed = 0;
  for (const endAt = performance.now() + ms; performance.now() < endAt; await delay(10)) {
    const startedAt = performance.now();
    const headers = { Authorization: `Bearer ${key}` };
    const signal = AbortSignal.timeout(20_000);
    const answer = await fetch(`${apiOrigin}/api/v1/webinars`, { headers, signal }).catch(() => undefined);
    if (answer?.status === 200) await answer.arrayBuffer();
    else failed += 1;
    times.push(performance.now() - startedAt);
  }
  return { ...percentilesOf(times), times, failed };
}

function watchPeak(origin: string) {
  const most = { megabytes: 0, unsent: 0 };
  let isStopped = false;
  const watch = async (): Promise<void> => {
    while (!isStopped) {
      const { residentMegabytes, unsentBytes } = await readFigures(origin);
      most.megabytes = Math.max(most.megabytes, residentMegabytes);
      most.unsent = Math.max(most.unsent, unsentBytes);
      await delay(200);
    }
  };
  // The process may have died, and then the checks say so.
  const watching = watch().catch(() => undefined);
  return {
    async stop() {
      isStopped = true;
      await watching;
      return most;
    },
  };
}
