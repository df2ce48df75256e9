import { readFileSync } from 'node:fs';
import { processIdentity } from '@service/embedded-postgres';

export type StopReason = { exitCode: number } | Error;

export interface StopSignals {
  /** Aborted when everything must stop. Its reason is a StopReason. */
  stop: AbortController;
  /** Aborted by a second request to stop. */
  stopNow: AbortSignal;
  dispose(): void;
}

const exitCodes = { SIGINT: 130, SIGTERM: 0, SIGHUP: 129 } as const;

// One Ctrl-C can arrive twice: from the terminal, and from npm, which forwards it.
const sameKeyPressMs = 700;

/** Turns Ctrl-C, SIGTERM, a closed terminal and the death of npm into one request to stop. */
export function listenForStop(environment: Record<string, string | undefined>): StopSignals {
  const stop = new AbortController();
  const stopNow = new AbortController();
  let firstAt = 0;
  const onSignal = (signal: NodeJS.Signals) => {
    if (stop.signal.aborted && Date.now() - firstAt > sameKeyPressMs) return stopNow.abort();
    if (stop.signal.aborted) return;
    firstAt = Date.now();
    stop.abort({ exitCode: exitCodes[signal as keyof typeof exitCodes] } satisfies StopReason);
  };
  for (const signal of Object.keys(exitCodes)) process.on(signal, onSignal);
  const timer = setInterval(
    watchLauncher(environment, () => onSignal('SIGTERM')),
    500,
  ).unref();
  return {
    stop,
    stopNow: stopNow.signal,
    dispose() {
      clearInterval(timer);
      for (const signal of Object.keys(exitCodes)) process.off(signal, onSignal);
    },
  };
}

// npm runs scripts in a shell and sends SIGTERM to that shell only, which ends without a signal to us. After kill -9 npm sends
// none at all. So under npm we check that both are alive. Without npm our parent may end before us.
function watchLauncher(environment: Record<string, string | undefined>, onGone: () => void): () => void {
  if (!environment.npm_lifecycle_event) return () => {};
  const shell = process.ppid;
  const npm = process.platform === 'linux' ? parentOf(shell) : undefined;
  const identity = npm && processIdentity(npm);
  return () => {
    if (process.ppid !== shell || (npm && processIdentity(npm) !== identity)) onGone();
  };
}

function parentOf(pid: number): number | undefined {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(line.slice(line.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined;
  }
}
