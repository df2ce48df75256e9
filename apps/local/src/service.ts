import type { ChildProcess } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { endOf, startCommand, terminate, type Command, type Environment } from './start-command.ts';

export interface Service {
  /** Stops it. Resolves when its process has ended. */
  stop(stopNow: AbortSignal): Promise<void>;
  /** Ends its process and starts a new one. */
  restart(): void;
}

export interface ServiceOptions {
  environment: Environment;
  log: (line: string) => void;
  /** Called once, when it has ended too often. */
  giveUp: (error: Error) => void;
  /** Watch mode: after an unexpected end it waits for restart(), because only a change of the code can help. */
  awaitRestart?: boolean;
}

const graceMs = 15_000;

/** Starts a command that runs until it is stopped. Starts it again when it ends unexpectedly. */
export function keepRunning(command: Command, options: ServiceOptions): Service {
  const { environment, log, giveUp, awaitRestart = false } = options;
  const stopping = new AbortController();
  const restarts = new EventEmitter();
  const nextWaitMs = createRestartBudget();
  let child: ChildProcess;
  let restarting = false;

  const ended = (async () => {
    while (!stopping.signal.aborted) {
      restarting = false;
      // A child ends when its IPC channel closes, which also happens when the supervisor is killed.
      child = startCommand(command, environment, ['ignore', 'inherit', 'inherit', 'ipc']);
      const end = await endOf(child);
      if (stopping.signal.aborted || restarting) continue;
      if (awaitRestart) {
        log(`${command.name} ended (${end}); waiting for a change.`);
        await once(restarts, 'restart', { signal: stopping.signal }).catch(() => {});
        continue;
      }
      const waitMs = nextWaitMs(Date.now());
      if (waitMs === undefined) {
        giveUp(new Error(`${command.name} ended six times within a minute (now: ${end}).`));
        return;
      }
      log(`${command.name} ended unexpectedly (${end}); starting it again in ${waitMs / 1000} s.`);
      await delay(waitMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  })().catch(giveUp);

  return {
    async stop(stopNow) {
      stopping.abort();
      await terminate(child, graceMs, stopNow);
      await ended;
    },
    restart() {
      restarting = true;
      restarts.emit('restart');
      void terminate(child, 2000, stopping.signal);
    },
  };
}

const restartsMax = 5;
const withinMs = 60_000;

/** Counts restarts. Each call returns the wait before the next one, or undefined after five within a minute. */
export function createRestartBudget(): (nowMs: number) => number | undefined {
  let restarts: number[] = [];
  return (nowMs) => {
    restarts = restarts.filter((at) => nowMs - at < withinMs);
    if (restarts.length >= restartsMax) return undefined;
    restarts.push(nowMs);
    return 200 * 2 ** (restarts.length - 1);
  };
}
