import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

export interface Command {
  /** Used in messages: "The worker ended". */
  name: string;
  program: string;
  arguments: string[];
  cwd?: string;
}

export type Environment = Record<string, string | undefined>;

/**
 * Starts a command in its own process group. So Ctrl-C in a terminal reaches only the supervisor, which stops everything in
 * order, and a whole group can be killed at once.
 */
export function startCommand(command: Command, environment: Environment, stdio: StdioOptions): ChildProcess {
  const child = spawn(command.program, command.arguments, {
    cwd: command.cwd,
    env: environment,
    detached: true,
    stdio,
  });
  child.on('error', () => {}); // endOf reports it
  return child;
}

/** Resolves with the end of a child as text: "exit code 1", "SIGKILL", or the reason why it did not start. */
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

/** Sends SIGTERM, then SIGKILL to the whole group after `graceMs` or when `stopNow` is aborted. */
export async function terminate(child: ChildProcess, graceMs: number, stopNow: AbortSignal): Promise<void> {
  if (child.pid === undefined) return;
  if (child.exitCode === null && child.signalCode === null) {
    const ended = endOf(child);
    signalGroup(child.pid, 'SIGTERM');
    await Promise.race([ended, delay(graceMs, undefined, { signal: stopNow, ref: false }).catch(() => {})]);
    signalGroup(child.pid, 'SIGKILL');
    await ended;
  }
  signalGroup(child.pid, 'SIGKILL'); // processes that it may have started
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal);
  } catch {
    // the group has ended
  }
}

const keptOutput = 20_000;
const graceMs = 3000;

/** Runs a command that ends by itself. When it fails, the error contains its output. `stop` ends it early. */
export async function runToEnd(command: Command, environment: Environment, stop: AbortSignal): Promise<void> {
  stop.throwIfAborted();
  const child = startCommand(command, environment, ['ignore', 'pipe', 'pipe']);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-keptOutput);
    });
  }
  const stopChild = () => void terminate(child, graceMs, new AbortController().signal);
  stop.addEventListener('abort', stopChild, { once: true });
  const end = await endOf(child);
  stop.removeEventListener('abort', stopChild);
  stop.throwIfAborted();
  if (end !== 'exit code 0') throw new Error(`${command.name} failed (${end}).\n${output.trim()}`.trim());
}
