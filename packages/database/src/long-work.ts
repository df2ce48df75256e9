// One thread of a process serves all accounts. Work that would keep it for more than a millisecond is done in parts, and
// after each part the thread is free for the calls of others. A call passes through the thread some ten times (socket, queries,
// answer), and each time waits for the part that runs: without a pause between the parts it would wait every time.
import { setTimeout as delay } from 'node:timers/promises';

/** The length of a part. With 3 ms the p99 of REST calls beside an attack was 21 to 27 ms, with 1 ms 18 to 26 ms. */
export const partMs = 1;

/** The pause after a part, as a multiple of the time that the part took. */
const pauseFactor = 4;

let freeUntilMs = 0;

/**
 * Resolves when long work may do its next part; `tookMs` is the time of the last one. All long work of the process takes turns, so
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
 * The results of `make`, in the order of the items. Others get the thread in between when that takes long, and then at the end
 * too, since the caller has many results to work on.
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
