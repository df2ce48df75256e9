// 24 ways in which an account and strangers can try to cost others something. Each goes on until it is stopped, on a few connections, with
// a pause after each answer, so that the drill measures the service and not how many requests this machine can make.
import { setTimeout as delay } from 'node:timers/promises';
import { Agent } from 'undici';
import { callRoom, openLiveRoom } from '../live-room.ts';
import { openDoors } from '../revenue/providers.ts';
import { createLarge, largeWays } from './large-ways.ts';
import { dripBodies, listenToChat, socketWays } from './socket-ways.ts';
import { type AttackTarget, type Stage, type Way } from './way.ts';
import type { Account } from '../world.ts';
import { ways } from './ways.ts';

export interface Attack {
  /** Ends the attack. Gives the answers it got, by way and status: `trpc 429`. */
  stop(): Promise<ReadonlyMap<string, number>>;
}

/**
 * Connections of all ways together. A further way changes the mix of the attack and not its amount: 72 connections saturate a machine
 * with two cores that also runs the drill, PostgreSQL and a worker. The thread of the API then serves them in waves of 190 ms.
 */
const loopsMax = 48;
const pauseMs = 100;
/** After a turn of a way with sockets of its own, which is up to 500 requests in one write, or 50 streams. */
const socketPauseMs = 1000;
/** 400 of them listen to the chat, each with as many streams as are allowed. */
const attendeeCount = 450;
const speakers = 4;
const messagesEach = 12;
const hangingEndpoints = 20;

/** One character that compatibility folding makes 18 times longer. */
const expanding = '\ufdfa';
const worstRules = 5;
const conditionsEach = 20;

const allWays: readonly [string, Way][] = Object.entries({ ...ways, ...largeWays, ...socketWays });

/** Makes everything that the ways need. The attack begins when the returned function is called. */
export async function prepareAttack(target: AttackTarget): Promise<() => Attack> {
  const stage = await prepare(target);
  return () => startAttack(stage);
}

function startAttack(stage: Stage): Attack {
  const answers = new Map<string, number>();
  const stopping = new AbortController();
  let turns = 0;
  // Each way has connections of its own, so that none waits for the answers of another.
  const loopsEach = Math.floor(loopsMax / allWays.length);
  const agents: Agent[] = [];
  const loop = async (name: string, way: Way): Promise<void> => {
    const agent = new Agent({ connections: 64 });
    agents.push(agent);
    while (!stopping.signal.aborted) {
      const status = await way(stage, turns++, agent).catch(() => 0);
      const label = `${name} ${status === 0 ? 'no answer' : status}`;
      answers.set(label, (answers.get(label) ?? 0) + 1);
      await delay(name in socketWays ? socketPauseMs : pauseMs);
    }
  };
  const loops = allWays.flatMap(([name, way]) => Array.from({ length: loopsEach }, () => loop(name, way)));
  const background = [dripBodies(stage), listenToChat(stage)];
  return {
    async stop() {
      stopping.abort();
      for (const one of background) one.stop();
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
  for (const { join } of room.attendees.slice(0, speakers)) {
    const call = (below: string, body: unknown) =>
      callRoom({ origin: origins[0]!, agent, path: `${join}/${below}`, body });
    visits.push(String((await call('visits', {})).answer.visitId));
    for (let said = 0; said < messagesEach; said += 1)
      await call('messages', { text: expanding.repeat(1000) });
  }
  await agent.close();
  return {
    ...target,
    room,
    flood,
    largeId: await createLarge(attacker),
    visits,
    doors: await openDoors(attacker),
  };
}

async function createFlood({ call }: Account): Promise<Stage['flood']> {
  const startDate = `${new Date().getUTCFullYear() + 1}-06-01`;
  const schedule = { recurrences: [{ frequency: 'once', startDate, time: '09:00' }] };
  const { id } = await call<{ id: string }>('POST /webinars', { title: 'Flood', schedule });
  await call(`POST /webinars/${id}/publish`);
  return { id, sessionTime: `${startDate}T09:00:00.000Z` };
}
