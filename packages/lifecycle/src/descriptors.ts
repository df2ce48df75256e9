// Open descriptors of this process: sockets and files. A process without free ones can neither accept a connection nor reach its
// database, and does not end by itself. Linux only: other systems do not show them.
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import type { Log } from '@service/log';

/** The most descriptors that this process may open. Undefined where it is unknown or unlimited. */
export function readDescriptorLimit(): number | undefined {
  if (process.platform !== 'linux') return undefined;
  const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
  return soft === undefined ? undefined : Number(soft);
}

export interface DescriptorWatchOptions {
  log: Log;
  limit: number | undefined;
  checkEveryMs?: number;
  /** The process ends when its descriptors have been nearly used up for this long. */
  endAfterMs?: number;
}

export interface DescriptorWatch {
  isNearlyUsedUp(): boolean;
  /** Resolves when they have been nearly used up for too long. */
  ended: Promise<void>;
  close(): void;
}

/** Connections of clients have a limit of their own, so beyond this share something else leaks. */
const usedShareMax = 0.9;

/** Counts the open descriptors until `close`. */
export function watchDescriptors({
  log,
  limit,
  checkEveryMs = 5000,
  endAfterMs = 30_000,
}: DescriptorWatchOptions): DescriptorWatch {
  const ended = Promise.withResolvers<void>();
  let sinceMs: number | undefined;

  const check = async (max: number): Promise<void> => {
    const open = await countDescriptors();
    if (open < max * usedShareMax) {
      sinceMs = undefined;
      return;
    }
    const isFirst = sinceMs === undefined;
    sinceMs ??= performance.now();
    if (isFirst) log.error({ limit: max }, 'Descriptors are nearly used up; this process is not ready');
    if (performance.now() - sinceMs < endAfterMs) return;
    log.fatal({ limit: max }, 'Descriptors stay nearly used up; this process ends so that it is restarted');
    clearInterval(timer);
    ended.resolve();
  };

  const timer = limit === undefined ? undefined : setInterval(() => void check(limit), checkEveryMs).unref();
  return {
    isNearlyUsedUp: () => sinceMs !== undefined,
    ended: ended.promise,
    close: () => clearInterval(timer),
  };
}

/** To count them takes one, so a failure means that there is none left. */
const countDescriptors = async (): Promise<number> =>
  readdir('/proc/self/fd').then(
    ({ length }) => length,
    () => Infinity,
  );
