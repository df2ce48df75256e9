// Answers that refuse a caller who goes on after many refusals come late. A program that repeats a refused call in a loop waits for
// each answer, so it costs the service a call a second for each of its connections, and not as many as the thread can refuse.
import { setTimeout as delay } from 'node:timers/promises';
import { databaseTime } from '@service/database';
import type { ConnectionLimits } from '@service/lifecycle';
import { addressKey, createBuckets } from '@service/rest';
import type { RequestHandler, Response } from 'express';

export interface LateRefusals {
  /** Refusals of an address that are answered at once: at the start, and each minute from then on. */
  burst: number;
  perMinute: number;
  /** The time by which others are late, in milliseconds. */
  lateMs: number;
  /** Refusals of all addresses that are late at once. Each occupies a connection, so further ones are answered at once. */
  waitingMax: number;
}

/** The connections of late refusals are at most a quarter of all. */
export const lateRefusalsFor = ({
  connectionsMax,
}: Pick<ConnectionLimits, 'connectionsMax'>): LateRefusals => ({
  burst: 200,
  perMinute: 120,
  lateMs: 1000,
  waitingMax: Math.min(2000, Math.floor(connectionsMax / 4)),
});

/** Without a valid credential, too much in one request, or too many requests. Mistakes in the input of a valid call are never late. */
const refusals: ReadonlySet<number> = new Set([401, 403, 410, 413, 429]);

/** Sends the refusals of an address late while it has had too many of them. All other answers to the address are sent at once. */
export function delayRefusals({ burst, perMinute, lateMs, waitingMax }: LateRefusals): RequestHandler {
  const atOnce = createBuckets({ burst, perMinute });
  let waiting = 0;

  const isLate = (response: Response): boolean =>
    refusals.has(response.statusCode) &&
    waiting < waitingMax &&
    atOnce.take(addressKey(response.req.ip ?? ''), databaseTime()) !== undefined;

  return (_request, response, next) => {
    const end = response.end.bind(response) as (...rest: unknown[]) => Response;
    const endLater = async (rest: unknown[]): Promise<void> => {
      waiting += 1;
      await delay(lateMs);
      waiting -= 1;
      end(...rest);
    };
    response.end = (...rest: unknown[]) => {
      response.end = end;
      if (!isLate(response)) return end(...rest);
      void endLater(rest);
      return response;
    };
    next();
  };
}
