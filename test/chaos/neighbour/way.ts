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

/** A request to any of the processes. */
interface Call {
  path: string;
  headers?: Record<string, string>;
  /** Left out: a GET. */
  body?: unknown;
}

/** A way that is one request. */
export const asks =
  (callOf: (stage: Stage, turn: number) => Call): Way =>
  async (stage, turn, dispatcher) => {
    const { path, headers, body } = callOf(stage, turn);
    const response = await request(pick(stage.origins, turn) + path, {
      method: body === undefined ? 'GET' : 'POST',
      dispatcher,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    // `dump` would end the connection of a large answer.
    for await (const _ of response.body);
    return response.statusCode;
  };

/** Calls of procedures in one batch, by the member. */
export const batchOf = (stage: Stage, procedures: readonly string[], input?: object): Call => {
  const inputs = input && Object.fromEntries(procedures.map((_, index) => [index, input]));
  const query = `batch=1&input=${encodeURIComponent(JSON.stringify(inputs ?? {}))}`;
  return { path: `/trpc/${procedures.join(',')}?${query}`, headers: asMember(stage) };
};

export const withKey = ({ attacker }: Stage) => ({ authorization: `Bearer ${attacker.key}` });

const asMember = ({ attacker }: Stage) => ({
  cookie: attacker.cookie,
  'x-workspace': attacker.accountId,
});

export const pick = <Item>(items: readonly Item[], turn: number): Item => items[turn % items.length]!;
