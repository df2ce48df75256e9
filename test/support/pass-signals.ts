import type { ChildProcess } from 'node:child_process';

/** Passes the signals that stop this program on to a child. The program must end when the child has ended. */
export function passSignals(child: ChildProcess): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
}
