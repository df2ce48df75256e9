import { combineSubscribers, createJoinUrlFinder } from '@service/attendees';
import { refireBody } from '@service/automations';
import { createChangeAnnouncer } from '@service/changes';
import { openDatabase, type ConnectionOptions, type ReplicaSettings } from '@service/database';
import { createDeliveries, createWake, type Quota } from '@service/deliveries';
import { createJobs } from '@service/jobs';
import type { Log } from '@service/log';
import { defaultBacklogMax } from '@service/mails';
import { createSecretBox } from '@service/secrets';
import { announceDeliveries, announceEvents } from './announce-changes.ts';
import { createLinks } from './create-links.ts';
import { modules, serviceEntities } from './modules.ts';
import { openConnections } from './open-connections.ts';
import type { SharedParts } from './parts.ts';

export interface SharedOptions {
  databaseUrl: string;
  /** A direct connection to the same database. Set it when `databaseUrl` is that of a pooler in transaction mode. */
  databaseSessionUrl?: string | undefined;
  /** For reads that may be late. */
  replica?: Pick<ReplicaSettings, 'url' | 'lagMaxMs'> | undefined;
  /** Shown in pg_stat_activity. */
  name: string;
  encryptionKey: string;
  encryptionKeysOld: readonly string[];
  /** The wait before each attempt of a delivery. Its length is the number of attempts. */
  retryScheduleSeconds: readonly number[];
  /** The public URL of the service, without a trailing slash. */
  baseUrl: string;
  /** The limits of an account for its deliveries. Those of the module by default. */
  deliveryQuota?: Quota | undefined;
  /** The limit of the waiting mails of an account. That of the module by default. */
  mailBacklogMax?: number | undefined;
  /** Ranges that are not public and that webhooks and e-mail providers may be in. */
  webhookAllowedCidrs: string[];
  /** Webhooks and e-mail providers may be reached without TLS. */
  webhookAllowHttp: boolean;
  /** `address:port` of the DNS servers that are asked about From domains, for tests. Those of the system by default. */
  dnsServers?: readonly string[] | undefined;
  connections?: ConnectionOptions | undefined;
  log: Log;
}

/** Opens the parts that the API and workers share. `close` sends the last wake-ups and closes the connections. */
export async function openParts(options: SharedOptions): Promise<SharedParts & { close(): Promise<void> }> {
  const { databaseUrl, name, retryScheduleSeconds, deliveryQuota: quota, connections, log } = options;
  const { mailBacklogMax = defaultBacklogMax } = options;
  const database = await openDatabase({
    url: databaseUrl,
    sessionUrl: options.databaseSessionUrl,
    replica: options.replica && {
      ...options.replica,
      onChange({ problem, lagMs, error }) {
        const lagSeconds = lagMs === undefined ? undefined : Math.round(lagMs / 1000);
        if (problem)
          log.warn(
            { problem, lagSeconds, err: error },
            'The replica is not used; its reads go to the primary',
          );
        else log.info({ lagSeconds }, 'Reads that may be late go to the replica');
      },
    },
    entities: serviceEntities,
    name,
    connections,
    onConnectionError: (error) => log.warn({ err: error }, 'A database connection was lost'),
  });
  const secretBox = createSecretBox(options.encryptionKey, options.encryptionKeysOld);
  const wake = createWake(database.pool, log);
  const changes = createChangeAnnouncer({ database, log });
  const mail = openConnections({
    database,
    secretBox,
    changes,
    allowedCidrs: options.webhookAllowedCidrs,
    allowHttp: options.webhookAllowHttp,
    dnsServers: options.dnsServers,
  });
  const findJoinUrls = createJoinUrlFinder(database.query, createLinks(options).joinLinks);
  const deliveries = announceDeliveries(
    createDeliveries({ secretBox, wake, refire: refireBody, findJoinUrls, retryScheduleSeconds, quota }),
    changes,
  );
  const subscribers = modules.flatMap(
    (module) => module.subscribers?.events?.({ database, deliveries, log, mailBacklogMax }) ?? [],
  );
  const erasers = new Map(
    modules.flatMap((module) => {
      const erase = module.subscribers?.erasure?.({ secretBox, connections: mail.connections });
      return erase ? [[module.name, erase] as const] : [];
    }),
  );
  return {
    database,
    log,
    secretBox,
    jobs: createJobs(database.pool),
    deliveries,
    findJoinUrls,
    mailBacklogMax,
    changes,
    connections: mail.connections,
    subscriber: announceEvents(combineSubscribers(subscribers), changes),
    erasers,
    async close() {
      await Promise.all([wake, changes, mail, ...subscribers].map((part) => part.close()));
      await database.close();
    },
  };
}
