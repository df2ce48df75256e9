import { setTimeout as delay } from 'node:timers/promises';
import { clockMs } from '../support/clock-ms.ts';

export interface OpenLoop {
  perSecond: number;
  seconds: number;
  /** Called when its time has come, even while earlier ones are still running. */
  arrive(index: number): Promise<void>;
}

/**
 * Arrivals at a constant rate. A slow service does not delay them: a load that waits for the measured service measures too
 * little. Resolves when all have ended; rejects when one fails. Returns the longest delay of an arrival in milliseconds: a
 * long one means that the machine could not make the load.
 */
export async function runOpenLoop({ perSecond, seconds, arrive }: OpenLoop): Promise<{ latestMs: number }> {
  const count = Math.round(perSecond * seconds);
  const startedAt = clockMs();
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => undefined);
  const under = new Set<Promise<void>>();
  let latestMs = 0;
  for (let index = 0; index < count;) {
    const now = clockMs();
    for (let dueAt = timeOf(index); index < count && dueAt <= now; dueAt = timeOf(index)) {
      latestMs = Math.max(latestMs, now - dueAt);
      const work = arrive(index);
      under.add(work);
      work.then(() => under.delete(work), failed.reject);
      index += 1;
    }
    await Promise.race([delay(1), failed.promise]);
  }
  await Promise.race([Promise.all(under), failed.promise]);
  return { latestMs };

  function timeOf(index: number): number {
    return startedAt + (index * 1000) / perSecond;
  }
}
