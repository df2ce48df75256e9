import { setTimeout as delay } from 'node:timers/promises';

/** Waits until the API at `origin` is ready: GET /readyz answers 200. */
export async function waitReady(origin: string, timeoutMs: number, stop: AbortSignal): Promise<void> {
  const url = `${origin}/readyz`;
  const deadline = Date.now() + timeoutMs;
  let last = 'no answer';
  while (Date.now() < deadline) {
    stop.throwIfAborted();
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(2000) });
      if (response.ok) return;
      last = `${response.status} ${(await response.text()).slice(0, 500)}`;
    } catch {
      // not listening yet
    }
    await delay(50, undefined, { signal: stop }).catch(() => {});
  }
  stop.throwIfAborted();
  throw new Error(`The service was not ready after ${timeoutMs / 1000} s: ${url} answered ${last}.`);
}
