import { useEffect, useState } from 'react';
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

/** The server's time, again at each full second. */
export function useNow(): number {
  const [now, setNow] = useState(() => clock.now());
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tick = (): void => {
      clearTimeout(timer);
      const nowMs = clock.now();
      setNow(nowMs);
      timer = setTimeout(tick, 1000 - (nowMs % 1000) + 5);
    };
    tick();
    // Browsers slow timers of hidden pages down.
    document.addEventListener('visibilitychange', tick);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', tick);
    };
  }, []);
  return now;
}
