// One clock for all relative times of the page: one timer, and only changed texts render again.
import { useSyncExternalStore } from 'react';

const tickMs = 1000;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    for (const notify of listeners) notify();
  }, tickMs);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The result of `read` for the time in milliseconds. Renders again when it changes. */
export const useClock = <Reading extends string | boolean>(read: (nowMs: number) => Reading): Reading =>
  useSyncExternalStore(subscribe, () => read(Date.now()));
