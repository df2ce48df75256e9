import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { ChildProcess, StdioOptions } from 'node:child_process';

export interface Command {
  /** For people: "The worker ended". */
  name: string;
  program: string;
  arguments: string[];
  cwd?: string;
}

export type Environment = Record<string, string | undefined>;

/**
 * Starts a command in a process group of its own: Ctrl-C in a terminal then reaches only the supervisor, which stops
 * everything in order, and a whole group can be killed at once.
 */
export function startCommand(command: Command, environment: Environment, stdio: StdioOptions): ChildProcess {
  const child = spawn(command.program, command.arguments, {
    cwd: command.cwd,
    env: environment,
    detached: true,
    stdio,
  });
  child.on('error', () => {}); // endOf tells
  return child;
}

/** Resolves with how a child ended: "exit code 1", "SIGKILL", or why it did not start. */
export async function endOf(child: ChildProcess): Promise<string> {
  if (child.exitCode === null && child.signalCode === null) {
    try {
      await once(child, 'exit');
    } catch (error) {
      return (error as Error).message;
    }
  }
  return child.signalCode ?? `exit code ${child.exitCode}`;
}

/** SIGTERM, then SIGKILL for the whole group after `graceMs` or as soon as somebody is in a hurry. */
export async function terminate(child: ChildProcess, graceMs: number, hurry: AbortSignal): Promise<void> {
  if (child.pid === undefined) return;
  if (child.exitCode === null && child.signalCode === null) {
    const ended = endOf(child);
    signalGroup(child.pid, 'SIGTERM');
    await Promise.race([ended, delay(graceMs, undefined, { signal: hurry, ref: false }).catch(() => {})]);
    signalGroup(child.pid, 'SIGKILL');
    await ended;
  }
  signalGroup(child.pid, 'SIGKILL'); // what it may have left behind
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal);
  } catch {
    // nobody is left
  }
}
