import { hkdfSync } from 'node:crypto';
import { createActivityRecorder, type ActivityRecorder } from '@service/activity';
import { createAccounts, type Accounts, type CallLimit, type SignUpMode } from '@service/accounts';
import { openDatabase, type ConnectionOptions, type Database } from '@service/database';
import { createEventSubscriber, refireBody } from '@service/automations';
import { createDeliveries, createWake, type Deliveries } from '@service/deliveries';
import { createAnswers } from '@service/idempotency';
import { createKeyAdmission, type RateLimit } from '@service/keys';
import type { Log } from '@service/log';
import { checkDestination, createOutboundPolicy, createResolver } from '@service/outbound-http';
import { createSecretBox } from '@service/secrets';
import type { AdmitClient, AnswerStore } from '@service/surface';
import { errorOf, logFailure } from '@service/trpc';
import { createJoinLinks, createRoom, createRoomFeed, type Room, type RoomFeed } from '@service/attendees';
import { countKeyUsage } from './count-key-usage.ts';
import { serviceEntities } from './schema.ts';
import { createServiceRouter, type ServiceRouter } from './service-router.ts';

export interface ServiceOptions {
  databaseUrl: string;
  /** Shown in pg_stat_activity. */
  name: string;
  encryptionKey: string;
  encryptionKeysOld: readonly string[];
  baseUrl: string;
  /** The mode of sign-up. Open by default. */
  signUp?: SignUpMode;
  /** For each account, over all its keys and surfaces. */
  rateLimit: RateLimit;
  idempotencyWindowHours: number;
  webhookAllowedCidrs: string[];
  webhookAllowHttp: boolean;
  /** The wait before each attempt of a delivery. Its length is the number of attempts. */
  retryScheduleSeconds: readonly number[];
  /** Limit of dashboard calls. By default 600 of a sign-in session and 3,000 of an account each minute. */
  callLimit?: CallLimit | undefined;
  connections?: ConnectionOptions | undefined;
  /** Days that activity, executions and deliveries are kept. The dashboard shows it. 90 by default. */
  retentionDays?: number;
  /** Days that attendee events are kept. Undefined: for ever. */
  eventRetentionDays?: number | undefined;
  /** The clock of rooms, for tests. The database's by default. */
  now?: () => Date;
  /** Longest wait of a room call for locked rows, in milliseconds. 5,000 by default. */
  roomWaitMaxMs?: number;
  log: Log;
}

/** The product without HTTP. The API, the operator's commands and the tests call it. */
export interface Service {
  database: Database;
  router: ServiceRouter;
  accounts: Accounts;
  deliveries: Deliveries;
  admitKey: AdmitClient;
  /** Answers to writes that carried an Idempotency-Key. */
  answers: AnswerStore;
  activity: ActivityRecorder;
  /** The calls of attendees. */
  room: Room;
  /** The messages, poll results and progress that attendees read. */
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
    admitKey: createKeyAdmission(database.pool, options.rateLimit),
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

/** On the own machine the dashboard may be opened as localhost and as 127.0.0.1. */
function loopbackOrigins(baseUrl: string): string[] {
  const url = new URL(baseUrl);
  if (url.hostname !== 'localhost') return [];
  url.hostname = '127.0.0.1';
  return [url.origin];
}

/** A secret for one purpose, derived from the encryption key (HKDF-SHA256, RFC 5869), so that operators keep only one. */
function deriveSecret(encryptionKey: string, purpose: string): string {
  const key = hkdfSync('sha256', Buffer.from(encryptionKey, 'base64'), '', purpose, 32);
  return Buffer.from(key).toString('base64url');
}
