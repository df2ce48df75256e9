// The parts of an attack: the account that attacks, what it has prepared, and one way in which it tries to cost others something.
import { request, type Agent } from 'undici';
import type { Doors } from '../revenue/providers.ts';
import type { Account } from '../world.ts';
import type { LiveRoom } from '../live-room.ts';

export interface AttackTarget {
  attacker: Account;
  origins: readonly string[];
  /** Address of a receiver that hangs until the deadline of each attempt. */
  hangingUrl: string;
  /** Of the account that must notice nothing. */
  victim: LiveRoom;
  /** The account whose purchases must notice nothing. Its id is in the address of its door, so it is no secret. */
  sellerId: string;
}

/** The preparations of the attacker. */
export interface Stage extends AttackTarget {
  room: LiveRoom;
  /** Everyone may register for it, and each registration is sent to twenty receivers. */
  flood: { id: string; sessionTime: string };
  /** The largest adaptive webinar that is accepted. */
  largeId: string;
  visits: string[];
  /** The revenue doors of the attacker. */
  doors: Doors;
}

/** One request; the status it came to. `turn` counts up. */
export type Way = (stage: Stage, turn: number, agent: Agent) => Promise<number>;

interface Post {
  origin: string;
  path: string;
  headers?: Record<string, string>;
  body: unknown;
}

export async function post(agent: Agent, { origin, path, headers, body }: Post): Promise<number> {
  const response = await request(origin + path, {
    method: 'POST',
    dispatcher: agent,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  await response.body.dump();
  return response.statusCode;
}

export async function get(agent: Agent, url: string, headers: Record<string, string>): Promise<number> {
  const response = await request(url, { dispatcher: agent, headers });
  // `dump` would end the connection of a large answer.
  for await (const _ of response.body);
  return response.statusCode;
}

export const withKey = ({ attacker }: Stage) => ({ authorization: `Bearer ${attacker.key}` });

export const asMember = ({ attacker }: Stage) => ({
  cookie: attacker.cookie,
  'x-workspace': attacker.accountId,
});

export const pick = <Item>(items: readonly Item[], turn: number): Item => items[turn % items.length]!;
