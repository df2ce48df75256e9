import { createActivityRecorder, type ActivityRecorder } from '@service/activity';
import { createAccounts, type Accounts, type CallLimit, type SignUpMode } from '@service/accounts';
import { openDatabase, type ConnectionOptions, type Database } from '@service/database';
import { createEventSubscriber, refireBody } from '@service/automations';
import { createDeliveries, createWake, type Deliveries } from '@service/deliveries';
import { createAnswers } from '@service/idempotency';
import { createKeyCheck, type KeyCheck, type RateLimit } from '@service/keys';
import type { Log } from '@service/log';
import { checkDestination, createOutboundPolicy, createResolver } from '@service/outbound-http';
import { createSecretBox } from '@service/secrets';
import { errorOf, logFailure, type AnswerStore } from '@service/trpc';
import { createJoinLinks, createRoom, createRoomFeed, type Room, type RoomFeed } from '@service/attendees';
import { countKeyUsage } from './count-key-usage.ts';
import { deriveSecret } from './derive-secret.ts';
import { serviceEntities } from './schema.ts';
import { createServiceRouter, type ServiceRouter } from './service-router.ts';

export interface ServiceOptions {
  databaseUrl: string;
  /** Shown in pg_stat_activity. */
  name: string;
  encryptionKey: string;
  encryptionKeysOld: readonly string[];
  baseUrl: string;
  /** The people who may sign up; anyone by default. */
  signUp?: SignUpMode;
  /** Of each account, over all its keys and surfaces. */
  rateLimit: RateLimit;
  idempotencyWindowHours: number;
  webhookAllowedCidrs: string[];
  webhookAllowHttp: boolean;
  /** The wait before each try of a delivery; its length is the number of tries. */
  retryScheduleSeconds: readonly number[];
  /** Calls of the dashboard in a window; 600 of a session and 3,000 of an account each minute. */
  callLimit?: CallLimit | undefined;
  connections?: ConnectionOptions | undefined;
  /** Days that activity, executions and deliveries are kept, which the dashboard shows; 90. */
  retentionDays?: number;
  /** The same of attendee events. Undefined: they are kept. */
  eventRetentionDays?: number | undefined;
  /** The time in rooms, for tests that cannot wait for it. Left out: the database's. */
  now?: () => Date;
  /** A call of an attendee waits at most so long for locked rows, in milliseconds. Left out: 5,000. */
  roomWaitMaxMs?: number;
  log: Log;
}

/** The product without its doors: what the API, the operator's commands and the tests call. */
export interface Service {
  database: Database;
  router: ServiceRouter;
  accounts: Accounts;
  deliveries: Deliveries;
  checkKey: KeyCheck;
  /** Answers to writes that carried an Idempotency-Key. */
  answers: AnswerStore;
  activity: ActivityRecorder;
  /** What attendees do. */
  room: Room;
  /** What they hear of each other. */
  feed: RoomFeed;
  /** Flushes activity and wake-ups, then closes every connection. */
  close(): Promise<void>;
}

export async function createService(options: ServiceOptions): Promise<Service> {
  const { databaseUrl, name, log, now } = options;
  const onConnectionError = (error: Error): void =>
    log.warn({ err: error }, 'A database connection was lost');
  const database = await openDatabase({
    url: databaseUrl,
    entities: serviceEntities,
    name,
    connections: options.connections,
    onConnectionError,
  });
  const accounts = await createAccounts({
    databaseUrl,
    baseUrl: options.baseUrl,
    trustedOrigins: loopbackOrigins(options.baseUrl),
    secret: deriveSecret(options.encryptionKey, 'sessions'),
    signUp: options.signUp ?? 'open',
    callLimit: options.callLimit,
    onError: (message, cause) => logFailure(log, errorOf(cause), { message, requestId: undefined }),
  });
  const joinLinks = createJoinLinks({
    key: deriveSecret(options.encryptionKey, 'join-links'),
    formerKeys: options.encryptionKeysOld.map((key) => deriveSecret(key, 'join-links')),
    baseUrl: options.baseUrl,
  });
  const secretBox = createSecretBox(options.encryptionKey, options.encryptionKeysOld);
  const wake = createWake(database.pool, log);
  const deliveries = createDeliveries({
    secretBox,
    wake,
    refire: refireBody,
    retryScheduleSeconds: options.retryScheduleSeconds,
  });
  // Events of attendees and changes of sessions reach automations in the transaction that wrote them.
  const subscriber = createEventSubscriber({ deliveries, database, log });
  const feed = createRoomFeed({ database, log, now });
  const { announce } = feed;
  const room = createRoom({
    database,
    joinLinks,
    subscriber,
    announce,
    now,
    waitMaxMs: options.roomWaitMaxMs,
  });
  const destinationPolicy = {
    allowedCidrs: options.webhookAllowedCidrs,
    allowHttp: options.webhookAllowHttp,
  };
  const policy = createOutboundPolicy(destinationPolicy);
  const resolver = createResolver();
  const activity = createActivityRecorder({ pool: database.pool, log, alsoWrite: countKeyUsage });

  return {
    database,
    router: createServiceRouter({
      deliveries,
      joinLinks,
      subscriber,
      announce,
      checkUrl: (url) => checkDestination(url, { policy, resolver }),
      destinationPolicy,
      retention: {
        retentionDays: options.retentionDays ?? 90,
        eventRetentionDays: options.eventRetentionDays,
      },
    }),
    accounts,
    deliveries,
    checkKey: createKeyCheck(database.pool, options.rateLimit),
    answers: createAnswers({ secretBox, windowHours: options.idempotencyWindowHours }),
    activity,
    room,
    feed,
    async close() {
      await room.close();
      await Promise.all([activity, wake, accounts, subscriber, feed].map((part) => part.close()));
      await database.close();
    },
  };
}

/** Whoever runs the service on their own machine may open it by number as well as by name. */
function loopbackOrigins(baseUrl: string): string[] {
  const url = new URL(baseUrl);
  if (url.hostname !== 'localhost') return [];
  url.hostname = '127.0.0.1';
  return [url.origin];
}
