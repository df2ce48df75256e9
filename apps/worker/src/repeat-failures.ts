import type { Log } from '@service/log';

export interface FailureLog {
  record(error: unknown): void;
  /** It goes well again: the next failure is news, whatever it says. */
  forget(): void;
}

const messagesMax = 100;

/** Logs what fails every second for an hour once, as long as it says the same. */
export function createFailureLog(log: Pick<Log, 'error'>, what: string): FailureLog {
  const told = new Set<string>();
  return {
    record(error) {
      const message = error instanceof Error ? error.message : String(error);
      if (told.has(message)) return;
      if (told.size === messagesMax) told.clear();
      told.add(message);
      log.error({ err: error }, what);
    },
    forget: () => told.clear(),
  };
}
