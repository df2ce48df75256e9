// Proves tokens before anything else happens: before a call is counted against a registration, read, locked or written. Only
// tokens that turn out not to be ours are counted, by the address they came from; a proved one is never refused because of them.
import { hash } from 'node:crypto';
import {
  attendeeErrors,
  type ClickToken,
  type FormerToken,
  type JoinToken,
  type ReadToken,
  type Room,
} from '@service/attendees';
import type { Request } from 'express';
import { LRUCache } from 'lru-cache';
import { addressKey } from './address-key.ts';
import { createBuckets } from './buckets.ts';

export interface Admission {
  /** The proved token of a join link. Throws join_link_expired, room_busy. */
  join(text: string, request: Request): Promise<JoinToken>;
  /** The proved token of a click link. Throws join_link_expired, room_busy. */
  click(text: string, request: Request): Promise<ClickToken>;
}

interface AdmissionOptions {
  room: Pick<Room, 'read' | 'readClick' | 'prove'>;
  now: () => Date;
}

/** Unproved tokens that one address may send at once. A person with an old or damaged link sends one or two. */
const burst = 100;
const perMinute = 60;

/**
 * Tokens of the form without a version that were proved lately, some 10 MB. Their holders need no read, and forged
 * calls from the same address do not refuse them.
 */
const provedMax = 50_000;

export function createAdmission({ room, now }: AdmissionOptions): Admission {
  const unproved = createBuckets({ burst, perMinute });
  const proved = new LRUCache<string, JoinToken | ClickToken>({ max: provedMax });

  const countUnproved = (address: string): void => {
    const retryAfterSeconds = unproved.take(address, now());
    if (retryAfterSeconds !== undefined) throw attendeeErrors.too_many_invalid_links({ retryAfterSeconds });
  };

  const proveFormer = async <Token extends JoinToken>(
    text: string,
    claimed: FormerToken<Token>,
    address: string,
  ): Promise<Token> => {
    const key = hash('sha256', text, 'base64');
    const known = proved.get(key) as Token | undefined;
    if (known) return known;
    // Counted before the read, which is what a forged one costs, and given back when it was none.
    countUnproved(address);
    const token = await room.prove(claimed).catch((error: unknown) => {
      unproved.giveBack(address);
      throw error;
    });
    if (!token) throw attendeeErrors.join_link_expired();
    unproved.giveBack(address);
    proved.set(key, token);
    return token;
  };

  const admit = async <Token extends JoinToken>(
    text: string,
    read: ReadToken<Token> | null,
    request: Request,
  ): Promise<Token> => {
    if (read?.isProved) return read.token;
    const address = addressKey(request.ip ?? '');
    if (read) return proveFormer(text, read, address);
    countUnproved(address);
    throw attendeeErrors.join_link_expired();
  };

  return {
    join: (text, request) => admit(text, room.read(text), request),
    click: (text, request) => admit(text, room.readClick(text), request),
  };
}
