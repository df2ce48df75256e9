import type { Log } from '@service/log';

/** Longest wait for what is in flight, in milliseconds. */
const shutdownMaxMs = 15_000;

/** Ends the process in order on SIGTERM, SIGINT, or when the parent that holds the IPC channel is gone. */
export function onShutdown(log: Log, close: () => Promise<void>): void {
  let stopping = false;
  const stop = (reason: string) => {
    if (stopping) return;
    stopping = true;
    log.info({ reason }, 'Stopping');
    setTimeout(() => process.exit(1), shutdownMaxMs).unref();
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'Stopping failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', () => stop('SIGTERM'));
  process.on('SIGINT', () => stop('SIGINT'));
  process.on('disconnect', () => stop('parent gone'));
}
