// One thread of a process serves all accounts. Work that would keep it for more than a few milliseconds is done in parts, and
// after each part the thread is free for the calls of others. A call passes through the thread some ten times (socket, queries,
// answer), and each time waits for the part that runs: without a pause between the parts it would wait every time.
import { setTimeout as delay } from 'node:timers/promises';

/** How long a part should take. */
export const partMs = 3;

/** How long the thread is free after a part, as a multiple of what the part took. */
const pauseFactor = 4;

let freeUntilMs = 0;

/**
 * Resolves when long work may do its next part; `tookMs` is what the last one took. All long work of the process takes turns, so
 * that together it has a fifth of the thread.
 */
export async function nextTurn(tookMs = partMs): Promise<void> {
  const nowMs = performance.now();
  const pauseMs = tookMs * pauseFactor;
  const beginsAtMs = Math.max(nowMs + pauseMs, freeUntilMs);
  freeUntilMs = beginsAtMs + tookMs + pauseMs;
  await delay(beginsAtMs - nowMs);
}

/**
 * What `make` gives for each item, in their order. Others get the thread in between when that takes long, and then at the end
 * too: what is done with so many results takes long itself.
 */
export async function mapInTurns<Item, Result>(
  items: readonly Item[],
  make: (item: Item, index: number) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  let beganAtMs = performance.now();
  let isLong = false;
  for (const [index, item] of items.entries()) {
    const tookMs = performance.now() - beganAtMs;
    if (tookMs >= partMs) {
      isLong = true;
      await nextTurn(tookMs);
      beganAtMs = performance.now();
    }
    results.push(make(item, index));
  }
  if (isLong) await nextTurn();
  return results;
}
