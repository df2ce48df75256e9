import { useEffect, useEffectEvent } from 'react';
import { useServerTime } from './clock.ts';

const retryMs = 5000;

/**
 * Calls `reload` once a time has come, and again until the page waits for another time. Many pages wait for the same time, so each asks
 * a little later than others, by up to `spreadMs`. Null: never.
 */
export function useReloadAt(
  iso: string | null,
  reload: () => Promise<unknown>,
  { spreadMs }: { spreadMs: number },
): void {
  const dueMs = iso === null ? Infinity : Date.parse(iso);
  const isDue = useServerTime((nowMs) => nowMs >= dueMs);
  const read = useEffectEvent(reload);
  useEffect(() => {
    if (!isDue) return undefined;
    let isOver = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wait = (ms: number): void => {
      if (!isOver) timer = setTimeout(() => void attempt(), ms);
    };
    const attempt = async (): Promise<void> => {
      await read().catch(() => undefined);
      wait(retryMs);
    };
    wait(Math.random() * spreadMs);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [isDue, spreadMs]);
}
