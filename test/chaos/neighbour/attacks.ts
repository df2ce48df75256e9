// Ten ways in which an account can try to cost others something. Each goes on until it is stopped, on a few connections, with
// a pause after each answer, so that the drill measures the service and not how many requests this machine can make.
import { randomBytes, randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { callRoom, openLiveRoom, type LiveRoom } from '../live-room.ts';
import { payloadOf } from '../../support/shop.ts';
import { openDoors, sendWebhook, type Doors } from '../revenue/providers.ts';
import type { SignedUp } from '../sign-up.ts';

export interface AttackTarget {
  attacker: SignedUp;
  origins: readonly string[];
  /** Address of a receiver that hangs until the deadline of each attempt. */
  hangingUrl: string;
  /** Of the account that must notice nothing. */
  victim: LiveRoom;
  /** The account whose purchases must notice nothing. Its id is in the address of its door, so it is no secret. */
  sellerId: string;
}

export interface Attack {
  /** Ends the attack. Gives the answers it got, by way and status: `trpc 429`. */
  stop(): Promise<ReadonlyMap<string, number>>;
}

interface Stage extends AttackTarget {
  room: LiveRoom;
  /** Everyone may register for it, and each registration is sent to twenty receivers. */
  flood: { id: string; sessionTime: string };
  visits: string[];
  /** The revenue doors of the account that attacks. */
  doors: Doors;
}

/** One request; the status it came to. `turn` counts up. */
type Way = (stage: Stage, turn: number, agent: Agent) => Promise<number>;

/**
 * Connections of all ways together. A further way changes the mix of the attack and not its amount: 72 connections saturate a machine
 * with two cores that also runs the drill, PostgreSQL and a worker. The thread of the API then serves them in waves of 190 ms.
 */
const loopsMax = 48;
const pauseMs = 100;
const attendeeCount = 4;
const messagesEach = 50;
const hangingEndpoints = 20;
const slowSockets = 300;

/** One character that compatibility folding makes 18 times longer. */
const expanding = '\ufdfa';
const worstRules = 5;
const conditionsEach = 20;

const ways: Record<string, Way> = {
  click: ({ origins, room, visits }, turn, agent) =>
    post(agent, {
      origin: pick(origins, turn),
      path: `/room/${pick(room.attendees, turn).join}/interactions/${room.interactionId}/clicks`,
      body: { visitId: pick(visits, turn) },
    }),
  trpc: ({ origins, attacker }, turn, agent) => {
    // As many as fit into a URL, and as many as are allowed.
    const isHuge = turn % 2 === 0;
    const calls = Array.from({ length: isHuge ? 1000 : 20 }, () => (isHuge ? 'keys.list' : 'webinars.list'));
    const input = isHuge ? {} : Object.fromEntries(calls.map((_, index) => [index, { limit: 100 }]));
    const query = `batch=1&input=${encodeURIComponent(JSON.stringify(input))}`;
    const headers = { cookie: attacker.cookie, 'x-workspace': attacker.accountId };
    return get(agent, `${pick(origins, turn)}/trpc/${calls.join(',')}?${query}`, headers);
  },
  mcp: ({ origins, attacker }, turn, agent) => {
    // As many calls as are allowed, a body that is as long as is allowed, or a token that does not exist.
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_webinars' } };
    const filler = { ...call, params: { ...call.params, arguments: { q: 'x'.repeat(250_000) } } };
    return post(agent, {
      origin: pick(origins, turn),
      ...(turn % 3 === 2
        ? {
            path: '/mcp/connect',
            headers: { authorization: `Bearer svc_at_${randomBytes(16).toString('hex')}` },
          }
        : { path: '/mcp', headers: { authorization: `Bearer ${attacker.key}` } }),
      body: turn % 2 === 0 ? Array.from({ length: 20 }, () => call) : filler,
    });
  },
  stream: async ({ origins, attacker }, turn, agent) => {
    const query = `input={}&connectionParams=${encodeURIComponent(JSON.stringify({ workspaceId: attacker.accountId }))}`;
    const url = `${pick(origins, turn)}/trpc/accounts.stream?${query}`;
    const { statusCode, body } = await request(url, {
      dispatcher: agent,
      headers: { cookie: attacker.cookie },
    });
    // It has no end.
    body.on('error', () => undefined).destroy();
    return statusCode;
  },
  bulk: ({ origins, attacker, flood }, turn, agent) =>
    post(agent, {
      origin: pick(origins, turn),
      path: `/api/v1/webinars/${flood.id}/registrations/bulk`,
      headers: { authorization: `Bearer ${attacker.key}`, 'idempotency-key': randomUUID() },
      body: {
        registrations: Array.from({ length: 500 }, (_, row) => ({
          name: 'Mallory',
          email: `mallory-${row}@example.com`,
          sessionTime: flood.sessionTime,
        })),
      },
    }),
  'forged room': ({ origins, victim }, turn, agent) => {
    const { join } = pick(victim.attendees, turn);
    const forged = join.slice(0, -20) + randomBytes(15).toString('base64url');
    const path = turn % 2 === 0 ? 'visits' : `interactions/${victim.interactionId}/clicks`;
    return post(agent, { origin: pick(origins, turn), path: `/room/${forged}/${path}`, body: {} });
  },
  webhooks: ({ origins, attacker, flood }, turn, agent) =>
    post(agent, {
      origin: pick(origins, turn),
      path: `/api/v1/webinars/${flood.id}/registrations`,
      headers: { authorization: `Bearer ${attacker.key}` },
      body: { name: 'Mallory', email: `${randomUUID()}@example.com`, sessionTime: flood.sessionTime },
    }),
  purchases: async ({ origins, doors }, turn, agent) => {
    const payload = payloadOf({ email: `mallory-${turn}@example.com`, filler: 'x'.repeat(200_000) });
    const webhook = {
      door: 'generic',
      eventId: String(payload['event_id']),
      body: JSON.stringify(payload),
    } as const;
    return (await sendWebhook(doors, webhook, { origin: pick(origins, turn), agent })).status;
  },
  'forged purchases': ({ origins, sellerId }, turn, agent) =>
    post(agent, {
      origin: pick(origins, turn),
      path: `/api/webhooks/revenue/${sellerId}/${turn % 2 === 0 ? 'generic' : 'stripe'}`,
      headers: {
        'x-forwarded-for': '203.0.113.9',
        'x-service-signature': `sha256=${randomBytes(32).toString('hex')}`,
        'stripe-signature': `t=${Math.floor(Date.now() / 1000)},v1=${randomBytes(32).toString('hex')}`,
      },
      body: payloadOf({ filler: 'x'.repeat(200_000) }),
    }),
};

export async function startAttack(target: AttackTarget): Promise<Attack> {
  const stage = await prepare(target);
  const answers = new Map<string, number>();
  const stopping = new AbortController();
  let turns = 0;
  // Each way has connections of its own, so that none waits for the answers of another.
  const loopsEach = Math.floor(loopsMax / Object.keys(ways).length);
  const agents = Object.keys(ways).map(() => new Agent({ connections: loopsEach }));
  const loop = async (name: string, way: Way, agent: Agent): Promise<void> => {
    while (!stopping.signal.aborted) {
      const status = await way(stage, turns++, agent).catch(() => 0);
      const label = `${name} ${status === 0 ? 'no answer' : status}`;
      answers.set(label, (answers.get(label) ?? 0) + 1);
      await delay(pauseMs);
    }
  };
  const loops = Object.entries(ways).flatMap(([name, way], index) =>
    Array.from({ length: loopsEach }, () => loop(name, way, agents[index]!)),
  );
  const slow = dripBodies(stage);
  return {
    async stop() {
      stopping.abort();
      slow.stop();
      await Promise.all(loops);
      await Promise.all(agents.map((agent) => agent.destroy()));
      return answers;
    },
  };
}

/** Everything that the ways need: rules and messages that are as costly as they may be, receivers that hang, a live session. */
async function prepare(target: AttackTarget): Promise<Stage> {
  const { attacker, origins, hangingUrl } = target;
  const room = await openLiveRoom(attacker.call, attendeeCount);
  const path = `/webinars/${room.webinarId}`;
  const word = `${expanding.repeat(25)}x`;
  const condition = { field: 'chatMessage', operator: 'contains_word', value: word };
  for (let rule = 0; rule < worstRules; rule += 1) {
    await attacker.call(`POST ${path}/automations`, {
      name: `Worst ${rule}`,
      trigger: { type: 'cta_click', params: {} },
      conditions: Array.from({ length: conditionsEach }, () => condition),
      action: { type: 'webhook', url: hangingUrl },
    });
  }
  const flood = await createFlood(attacker);
  for (let endpoint = 0; endpoint < hangingEndpoints; endpoint += 1) {
    await attacker.call(`POST /webinars/${flood.id}/webhooks`, {
      url: `${hangingUrl}/${endpoint}`,
      eventTypes: ['registered'],
    });
  }
  const agent = new Agent();
  const visits: string[] = [];
  for (const { join } of room.attendees) {
    const call = (below: string, body: unknown) =>
      callRoom({ origin: origins[0]!, agent, path: `${join}/${below}`, body });
    visits.push(String((await call('visits', {})).answer.visitId));
    for (let said = 0; said < messagesEach; said += 1)
      await call('messages', { text: expanding.repeat(1000) });
  }
  await agent.close();
  return { ...target, room, flood, visits, doors: await openDoors(attacker) };
}

async function createFlood({ call }: SignedUp): Promise<Stage['flood']> {
  const startDate = `${new Date().getUTCFullYear() + 1}-06-01`;
  const schedule = { recurrences: [{ frequency: 'once', startDate, time: '09:00' }] };
  const { id } = await call<{ id: string }>('POST /webinars', { title: 'Flood', schedule });
  await call(`POST /webinars/${id}/publish`);
  return { id, sessionTime: `${startDate}T09:00:00.000Z` };
}

interface Post {
  origin: string;
  path: string;
  headers?: Record<string, string>;
  body: unknown;
}

async function post(agent: Agent, { origin, path, headers, body }: Post): Promise<number> {
  const response = await request(origin + path, {
    method: 'POST',
    dispatcher: agent,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  await response.body.dump();
  return response.statusCode;
}

async function get(agent: Agent, url: string, headers: Record<string, string>): Promise<number> {
  const response = await request(url, { dispatcher: agent, headers });
  await response.body.dump();
  return response.statusCode;
}

/** Requests whose bodies come a byte a second; one that the server ends is begun again. */
function dripBodies({ origins, attacker, room }: Stage): { stop(): void } {
  const sockets = new Map<number, Socket>();
  const open = (index: number): void => {
    const { hostname, port } = new URL(pick(origins, index));
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(index));
    socket.write(
      `POST /api/v1/webinars/${room.webinarId}/registrations HTTP/1.1\r\nHost: ${hostname}\r\n` +
        `Authorization: Bearer ${attacker.key}\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{`,
    );
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

const pick = <Item>(items: readonly Item[], turn: number): Item => items[turn % items.length]!;
