import { useSyncExternalStore } from 'react';
import { createServerClock, type ServerClock } from './server-clock.ts';

/** The clock of this page. The server wrote its time into the page, between the request of the page and the answer. */
export const clock: ServerClock = createServerClock();

/** Sets the clock by the page's own data. */
export function noteNavigation(serverNow: string): void {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  // A page of the back-forward cache or of a restored tab keeps the times of its first load.
  if (navigation && navigation.responseStart > 0)
    clock.note({ sentMs: navigation.requestStart, answeredMs: navigation.responseStart, serverNow });
}

/** The server's time in whole seconds, in milliseconds since 1970. Renders each second. */
export const useNow = (): number => useServerTime((nowMs) => Math.floor(nowMs / 1000) * 1000);

/** A value that follows from the server's time, such as whether a time has come. It is read each second, and renders when it changes. */
export const useServerTime = <Value extends number | string | boolean | undefined>(
  read: (nowMs: number) => Value,
): Value => useSyncExternalStore(subscribeToSeconds, () => read(clock.now()));

/** Calls back at each full second, and when the page is shown: browsers slow down the timers of hidden pages. */
function subscribeToSeconds(onSecond: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tick = (): void => {
    clearTimeout(timer);
    timer = setTimeout(tick, 1000 - (clock.now() % 1000) + 5);
    onSecond();
  };
  tick();
  document.addEventListener('visibilitychange', tick);
  return () => {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', tick);
  };
}
