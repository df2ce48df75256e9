import { useEffect } from 'react';
import { useNow } from '../page/clock.ts';

/** Attendees of one session do not all ask at the same moment. */
const spreadMs = 500;
const retryMs = 5000;

/** Calls `reload` once a time has come, and again after a failure. Null: never. */
export function useReloadAt(iso: string | null, reload: () => Promise<void>): void {
  const isDue = useNow() >= (iso === null ? Infinity : Date.parse(iso));
  useEffect(() => {
    if (!isDue) return;
    let timer: ReturnType<typeof setTimeout>;
    const attempt = (): void => {
      reload().catch(() => {
        timer = setTimeout(attempt, retryMs);
      });
    };
    timer = setTimeout(attempt, Math.random() * spreadMs);
    return () => clearTimeout(timer);
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [isDue, iso]);
}
