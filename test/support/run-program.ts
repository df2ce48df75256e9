import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';

/** Runs a program that shares our input and output. Resolves to its exit code, 1 when a signal ended it. */
export async function runProgram(
  program: string,
  args: readonly string[],
  options: Pick<SpawnOptions, 'cwd' | 'env'> = {},
): Promise<number> {
  const child = spawn(program, args, { ...options, stdio: 'inherit' });
  passSignals(child);
  await once(child, 'exit');
  return child.exitCode ?? 1;
}

/** Passes the signals that stop this program on to a child. The program must end when the child has ended. */
export function passSignals(child: ChildProcess): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
}
