import { setTimeout as delay } from 'node:timers/promises';
import { median } from '../bench/median.ts';
import { abort, ways } from './connections/abort.ts';
import { callFor } from './unread-answers.ts';
import { readFigures, type ProcessFigures } from './connections/process-figures.ts';
import { listAllRoutes } from './connections/routes.ts';
import { check, type Drill } from './drill.ts';
import { openLiveRoom } from './live-room.ts';
import { waitUntil } from '../support/wait-until.ts';
import { openAccount, type Account, type ChaosWorld } from './world.ts';

/** Connections of the attack at once. */
const concurrency = 24;
const requestsMin = 10_000;
/** Pools may have opened connections meanwhile. */
const moreDescriptorsMax = 20;
const moreMegabytesMax = 200;
/** With the usual heap a process collects garbage late, and growth would say little. */
const smallHeap = '--max-old-space-size=256';
const settleMaxMs = 30_000;
/** Sockets and requests of each in the flood, which is sent in one go. */
const flood = { sockets: 20, requests: 500 };
const floodedP50MaxMs = 100;

export const descriptors: Drill = {
  name: 'descriptors',
  summary:
    'Strangers and an account send requests to every route and go away: many in one write, half a request, half a body, a reset, after ' +
    'the first answer, without reading. Then 20 connections send 500 requests for the page at once. No descriptor, connection or memory ' +
    'stays in use, the process is ready, and another caller is answered during the flood.',
  seconds: 120,
  async run({ openWorld, say }) {
    const world = await openWorld({ webinars: 1 });
    // The address of each request is another, so that none waits for its refusal.
    const api = await world.startApi({
      variables: { TRUSTED_PROXIES: '127.0.0.1', NODE_OPTIONS: smallHeap },
    });
    const account = await openAccount(world.apiOrigin, 'Owner');
    const room = await openLiveRoom(account.call, 2);
    const parameters = { webinarId: room.webinarId, join: room.attendees[0]!.join, token: 'none' };
    const routes = await listAllRoutes({ databaseUrl: world.databaseUrl, origin: api.origin }, parameters);
    say('warming up');
    await attack(world, account, routes.slice(0, 40));
    const before = await settle(api.origin, undefined);
    say(`${routes.length} routes`);
    const requests = await attack(world, account, routes);
    const after = await settle(api.origin, before);
    say('the page, 10,000 times at once');
    const flooded = await measureFlood(world);
    const last = await settle(api.origin, before);
    const ready = await fetch(`${api.origin}/readyz`);
    const claims = (['attack', 'flood'] as const).flatMap((name) =>
      judge(name, before, name === 'attack' ? after : last),
    );
    return {
      checks: [
        check('requests were aborted', requests >= requestsMin, `${requests} to ${routes.length} routes`),
        ...claims,
        check('the process is ready', ready.ok && api.ended() === undefined, api.ended() ?? ready.status),
        check(
          `the p50 of another caller during the flood is at most ${floodedP50MaxMs} ms`,
          flooded.p50 <= floodedP50MaxMs,
          `${flooded.quietP50.toFixed(1)} -> ${flooded.p50.toFixed(1)} ms (longest ${flooded.longest.toFixed(0)} ms)`,
        ),
      ],
      figures: { 'answered in the flood': flooded.answered },
    };
  },
};

function judge(name: string, before: ProcessFigures, after: ProcessFigures) {
  const moreMegabytes = after.residentMegabytes - before.residentMegabytes;
  return [
    check(
      `${name}: no descriptor stays open`,
      after.descriptors <= before.descriptors + moreDescriptorsMax,
      `${before.descriptors} -> ${after.descriptors}`,
    ),
    // One connection asks for the figures.
    check(`${name}: no connection stays open`, after.connections <= 1, after.connections),
    check(
      `${name}: its memory grows by at most ${moreMegabytesMax} MB`,
      moreMegabytes <= moreMegabytesMax,
      `${before.residentMegabytes} -> ${after.residentMegabytes} MB`,
    ),
  ];
}

/** Each route in each way, by a stranger and with a credential. */
async function attack(
  { apiOrigin: origin }: ChaosWorld,
  account: Account,
  routes: Awaited<ReturnType<typeof listAllRoutes>>,
): Promise<number> {
  const credentials = {
    key: `Authorization: Bearer ${account.key}\r\n`,
    session: `Cookie: ${account.cookie}\r\nX-Workspace: ${account.accountId}\r\n`,
    none: '',
  };
  const attempts = routes.flatMap((route) =>
    Object.values(ways).flatMap((way) => [
      { route, way, headers: '' },
      ...(route.takes === 'none' ? [] : [{ route, way, headers: credentials[route.takes] }]),
    ]),
  );
  let next = 0;
  let requests = 0;
  const loop = async (): Promise<void> => {
    for (let turn = next++; turn < attempts.length; turn = next++) {
      const { route, way, headers } = attempts[turn]!;
      const from = `X-Forwarded-For: 10.${turn & 255}.${(turn >> 8) & 255}.1\r\n`;
      const sent = await abort(way, route, { origin, headers: headers + from });
      requests += sent;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, loop));
  return requests;
}

/** Figures after all has been closed, or those after the longest wait. */
async function settle(origin: string, start: ProcessFigures | undefined): Promise<ProcessFigures> {
  let figures = await readFigures(origin);
  await waitUntil(async () => {
    figures = await readFigures(origin);
    const open = start ? start.descriptors + moreDescriptorsMax : Infinity;
    return figures.connections <= 1 && figures.descriptors <= open;
  }, settleMaxMs);
  return figures;
}

async function measureFlood(world: ChaosWorld) {
  const quiet = await callFor(world, 2000);
  const page: Awaited<ReturnType<typeof listAllRoutes>>[number] = { method: 'GET', path: '/', takes: 'none' };
  let answered = 0;
  const floods = Array.from({ length: flood.sockets }, () =>
    abort(
      async ({ socket, whole }) => {
        socket.on(
          'data',
          (chunk: Buffer) => (answered += chunk.toString('latin1').split('HTTP/1.1 200').length - 1),
        );
        socket.write(whole.repeat(flood.requests));
        await Promise.race([new Promise((resolve) => socket.once('close', resolve)), delay(10_000)]);
        return flood.requests;
      },
      page,
      { origin: world.apiOrigin, headers: '' },
    ),
  );
  const during = await callFor(world, 2000);
  await Promise.all(floods);
  return {
    quietP50: quiet.p50,
    p50: median(during.times.slice(0, 20)),
    longest: during.max,
    answered,
  };
}
