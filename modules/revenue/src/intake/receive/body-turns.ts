// A large body costs a millisecond or two of the thread: it is read in parts, and its signature is computed over all of it. Large bodies
// of one address that arrive together would be that in one go, so they take turns, with pauses in which the thread is free for others.
import { LRUCache } from 'lru-cache';

/** Larger than any event of Stripe. A body up to this size costs little beside its request. */
export const ordinaryBytes = 32 * 1024;

/** CPU time to read, prove and parse 1 kB, measured with bodies of 200 kB. */
const kilobyteCpuMs = 0.01;

/** The pause after a body, as a multiple of its CPU time. One address uses a fifth of the thread at most. */
const pauseFactor = 4;

const addressesMax = 10_000;

/** The CPU time in milliseconds that a body costs more than an ordinary one. */
export const bodyCpuMs = (bytes: number): number =>
  (Math.max(0, bytes - ordinaryBytes) / 1024) * kilobyteCpuMs;

export function createBodyTurns(nowMs: () => number = () => performance.now()) {
  /** The time at which the next large body of an address has its turn. */
  // `max` would reserve the memory of all entries at once.
  const nextMs = new LRUCache<string, number>({ maxSize: addressesMax, sizeCalculation: () => 1 });
  return {
    /** Milliseconds until it is the turn of a body of this size. 0 for an ordinary one. */
    take(sender: string, bytes: number): number {
      const cpuMs = bodyCpuMs(bytes);
      if (cpuMs === 0) return 0;
      const now = nowMs();
      const turnMs = Math.max(now, nextMs.get(sender) ?? 0);
      nextMs.set(sender, turnMs + cpuMs * (1 + pauseFactor));
      return turnMs - now;
    },
  };
}
