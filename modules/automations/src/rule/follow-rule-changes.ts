import { listenFor, type Database, type Listening } from '@service/database';
import type { Log } from '@service/log';
import { rulesChannel } from './note-rules-changed.ts';

interface FollowOptions {
  database: Pick<Database, 'connect'>;
  /** Gets the `rulesKey` of what has changed. Changes can get lost with the connection. */
  onChange: (key: string) => void;
  /** What was read before may have changed unheard. */
  onConnected: () => void;
  log: Log;
}

export interface RuleChanges {
  /** Returns at once; later calls do nothing. */
  start(): void;
  /** False while changes can get lost: before the connection stands and after it broke. */
  isListening(): boolean;
  close(): Promise<void>;
}

/** Hears of changes of rules once somebody asks for rules. */
export function followRuleChanges({ database, onChange, onConnected, log }: FollowOptions): RuleChanges {
  let listening: Listening | undefined;
  let isConnected = false;
  const onError = (error: unknown): void =>
    log.warn({ err: error }, 'Changes of rules are not heard of; connecting again');
  return {
    start: () =>
      void (listening ??= listenFor({
        database,
        channel: rulesChannel,
        onPayload: onChange,
        onConnected() {
          onConnected();
          isConnected = true;
        },
        onLost: () => void (isConnected = false),
        onError,
      })),
    isListening: () => isConnected,
    close: async () => listening?.stop(),
  };
}
