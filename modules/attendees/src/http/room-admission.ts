// Proves tokens first, before a call counts for a registration and before any read, lock or write. Invalid tokens are counted by
// the address of the caller. A valid token is never refused because of them.
import { hash } from 'node:crypto';
import { addressKey, type Buckets, createBuckets } from '@service/rest';
import type { Request } from 'express';
import { LRUCache } from 'lru-cache';
import { attendeeErrors } from '../errors.ts';
import type { ClickToken, FormerToken, JoinToken, ReadToken } from '../registration/join-token.ts';
import type { Room } from '../room/room.ts';

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

/** Invalid tokens that one address may send at once. A person with an old or damaged link sends one or two. */
const burst = 100;
const perMinute = 60;

/**
 * Recently proved tokens without a version, about 10 MB. They need no further read, and forged tokens from the same address do
 * not block them.
 */
const provedMax = 50_000;

export function createAdmission({ room, now }: AdmissionOptions): Admission {
  const unproved = createBuckets({ burst, perMinute });
  // `max` would reserve the memory of all entries at once.
  const proved = new LRUCache<string, JoinToken | ClickToken>({
    maxSize: provedMax,
    sizeCalculation: () => 1,
  });

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
    // Counted before the read, which a forged token would cost. Given back when the token is valid.
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

/**
 * Limits of the calls of one registration to this process. Only proved tokens are counted. Each token version has its own
 * count, so calls with a replaced link do not count for the new one.
 */
export function createLimits() {
  const calls = createBuckets({ burst: 300, perMinute: 600 });
  const messages = createBuckets({ burst: 10, perMinute: 30 });
  // Each change mails the attendee.
  const changes = createBuckets({ burst: 10, perMinute: 1 });
  return {
    /** Throws room_busy. */
    admitCall: (token: JoinToken, now: Date): void => countCall(calls, token, now),
    /** An additional limit for chat messages. Throws room_busy. */
    admitMessage: (token: JoinToken, now: Date): void => countCall(messages, token, now),
    /** An additional limit for changes of the registration. Throws room_busy. */
    admitChange: (token: JoinToken, now: Date): void => countCall(changes, token, now),
  };
}

export type Limits = ReturnType<typeof createLimits>;

function countCall(buckets: Buckets, { registrationId, tokenVersion }: JoinToken, now: Date): void {
  const retryAfterSeconds = buckets.take(`${registrationId} ${tokenVersion}`, now);
  if (retryAfterSeconds !== undefined) throw attendeeErrors.room_busy({ retryAfterSeconds });
}
