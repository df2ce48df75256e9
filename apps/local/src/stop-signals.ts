import { watchNpm } from '@service/lifecycle';

const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

// One Ctrl-C can arrive twice: from the terminal, and from npm, which forwards it.
const sameKeyPressMs = 700;

/** Turns Ctrl-C, SIGTERM, a closed terminal and the death of npm into one request to stop. */
export function listenForStop(environment: Record<string, string | undefined>) {
  const stop = new AbortController();
  const stopNow = new AbortController();
  let firstAt = 0;
  const onSignal = (): void => {
    if (stop.signal.aborted && Date.now() - firstAt > sameKeyPressMs) return stopNow.abort();
    if (stop.signal.aborted) return;
    firstAt = Date.now();
    stop.abort('asked');
  };
  for (const name of names) process.on(name, onSignal);
  const unwatch = watchNpm(environment, onSignal);
  return {
    /** Aborted when everything must stop: by a signal with the reason 'asked', else with an error. */
    stop,
    /** Aborted by a second request to stop. */
    stopNow: stopNow.signal,
    dispose(): void {
      unwatch();
      for (const name of names) process.off(name, onSignal);
    },
  };
}
