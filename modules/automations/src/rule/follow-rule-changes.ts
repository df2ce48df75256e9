import { listenFor, type Database, type Listening } from '@service/database';
import type { Log } from '@service/log';
import { rulesChannel } from './note-rules-changed.ts';

interface FollowOptions {
  database: Pick<Database, 'connect'>;
  /** Gets the `rulesKey` of what has changed. Changes can get lost with the connection. */
  onChange: (key: string) => void;
  log: Log;
}

export interface RuleChanges {
  /** Returns at once; later calls do nothing. */
  start(): void;
  close(): Promise<void>;
}

/** Hears of changes of rules once somebody asks for rules. */
export function followRuleChanges({ database, onChange, log }: FollowOptions): RuleChanges {
  let listening: Listening | undefined;
  const onError = (error: unknown): void =>
    log.warn({ err: error }, 'Changes of rules are not heard of; connecting again');
  return {
    start: () =>
      void (listening ??= listenFor({ database, channel: rulesChannel, onPayload: onChange, onError })),
    close: async () => listening?.stop(),
  };
}
