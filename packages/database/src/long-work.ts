// One thread of a process serves all accounts. Work of more than a millisecond is done in parts, and after each part the
// thread is free for other calls. A call needs the thread about ten times (socket, queries, answer). Without a pause between the
// parts it would wait for a part each time.
import { setTimeout as delay } from 'node:timers/promises';
import { currentPayer, weightOf, workFor } from './thread-time.ts';

/**
 * The length of a part, in milliseconds. With 3 ms the p99 of REST calls beside an attack was 21 to 27 ms, with 1 ms 18 to 26 ms.
 */
export const partMs = 1;

/** The pause after a part, as a multiple of its length. */
const pauseFactor = 4;

/** The most time that counts for a part. More than this passes only while the machine or the process is stopped. */
const partMaxMs = 100;

let freeUntilMs = 0;

/**
 * Resolves when long work may do its next part. `tookMs` is the length of the last one. All long work of the process takes turns,
 * and together it uses a fifth of the thread.
 */
export async function nextTurn(tookMs = partMs): Promise<void> {
  const payer = currentPayer();
  const nowMs = performance.now();
  const usedMs = Math.min(tookMs, partMaxMs);
  // Parts are short, but together they are long work, so they count in full.
  payer?.charge(usedMs * (1 - weightOf(usedMs)));
  const pauseMs = usedMs * pauseFactor;
  const beginsAtMs = Math.max(nowMs + pauseMs, freeUntilMs);
  freeUntilMs = beginsAtMs + usedMs + pauseMs;
  await delay(beginsAtMs - nowMs);
  workFor(payer);
}

/**
 * The results of `make`, in the order of the items. Long work pauses between its parts and after the last one, because the caller
 * will process many results.
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
