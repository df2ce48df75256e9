import { setTimeout as delay } from 'node:timers/promises';
import { startEmbeddedPostgres } from '@service/embedded-postgres';
import { createRestartBudget } from './service.ts';

interface DatabaseOptions {
  dataDir: string;
  log: (line: string) => void;
  /** Called once, when it has ended too often or cannot be started again. */
  giveUp: (error: Error) => void;
}

/** Runs the built-in PostgreSQL on a folder. Starts it again, on the same port, when it ends unexpectedly. */
export async function keepDatabase({ dataDir, log, giveUp }: DatabaseOptions) {
  const stopping = new AbortController();
  const nextWaitMs = createRestartBudget();
  const start = (port?: number) => startEmbeddedPostgres({ dataDir, port, log: logUnlessStopping });
  const first = await start();
  first.notes.forEach((note) => log(note));
  let current = first;

  // Of the server's log only errors that end it or refuse a connection are shown.
  function logUnlessStopping(line: string): void {
    if (!stopping.signal.aborted && /\b(FATAL|PANIC): /.test(line)) log(`postgres: ${line}`);
  }

  const ended = (async () => {
    for (;;) {
      const lastLines = await current.exited;
      if (stopping.signal.aborted) return;
      const waitMs = nextWaitMs(Date.now());
      if (waitMs === undefined)
        throw new Error(`The database ended six times within a minute.\n${lastLines}`);
      log(`The database ended unexpectedly; starting it again in ${waitMs / 1000} s.`);
      await delay(waitMs, undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return;
      current = await start(first.port);
      // stop() was called while this server started, so it has stopped only the one before.
      if (stopping.signal.aborted) return await current.stop();
    }
  })().catch(giveUp);

  return {
    url: first.url,
    /** The location of the data, for messages. */
    location: first.dataDir,
    async stop(hurry: AbortSignal): Promise<void> {
      stopping.abort();
      const stopAtOnce = () => void current.stop({ immediate: true });
      hurry.addEventListener('abort', stopAtOnce, { once: true });
      await current.stop({ immediate: hurry.aborted });
      await ended;
      hurry.removeEventListener('abort', stopAtOnce);
    },
  };
}
