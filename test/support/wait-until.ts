import { setTimeout as delay } from 'node:timers/promises';

/** Asks until the answer is true; false when that did not come in time. A question that throws is asked again. */
export async function waitUntil(ask: () => Promise<boolean> | boolean, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  while (performance.now() < deadline) {
    try {
      if (await ask()) return true;
    } catch {
      // The database or a process is down at this moment, which is what drills are for.
    }
    await delay(100);
  }
  return false;
}
