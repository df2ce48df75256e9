import { EventEmitter } from 'node:events';
import { listenFor, type Database } from '@service/database';
import type { Log } from '@service/log';

/** Channels of graphile-worker (0.18, dist/main.js). */
const channels = ['jobs:insert', 'worker:migrate'];

/**
 * The part of a connection that graphile-worker listens with. It shares the connection of all listeners of the process. While that
 * is lost, graphile-worker finds new jobs by its polls, every two seconds.
 */
export function createJobListener(database: Pick<Database, 'connect'>, log: Log): object {
  const client = new EventEmitter();
  const listenings = channels.map((channel) =>
    listenFor({
      database,
      channel,
      onPayload: (payload) => void client.emit('notification', { channel, payload }),
      onError: (error) => log.warn({ err: error }, 'The connection for new jobs is lost. Connecting again'),
    }),
  );
  const query = async (text: string): Promise<void> => {
    if (text.startsWith('UNLISTEN')) await Promise.all(listenings.map((listening) => listening.stop()));
  };
  return Object.assign(client, { query });
}
