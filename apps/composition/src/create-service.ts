import {
  createAccounts,
  findBranding,
  findTimeZone,
  findMemberAddress,
  findWorkspaceNames,
  recordMemberChange,
  type CallLimit,
  type SignUpMode,
} from '@service/accounts';
import { createActivityRecorder } from '@service/activity';
import { createRoom, createRoomFeed } from '@service/attendees';
import { createChangeWatch } from '@service/changes';
import { countWaitingChanges } from '@service/contacts';
import { countGrantRequests, createClientDocuments, type DocumentOptions } from '@service/connectors';
import { createAnswers } from '@service/idempotency';
import {
  countRequests,
  createGrantAdmission,
  createKeyAdmission,
  type CountRequests,
  type CredentialUsage,
  type RateLimit,
} from '@service/keys';
import { createMailbox, findSuppressed, openMailer, type MailSettings } from '@service/mails';
import { checkDestination, createOutboundPolicy, createResolver } from '@service/outbound-http';
import { createPages } from '@service/pages';
import {
  createAttribution,
  createRevenueIntake,
  readRegistrationRevenue,
  revenueProviders,
  type RevenueProvider,
} from '@service/revenue';
import type { AnsweredCall } from '@service/surface';
import { errorOf, logFailure, type RequestContext, type Written } from '@service/trpc';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { announceCalls, announceWrites, previews } from './announce-changes.ts';
import { createLinks, deriveSecret } from './create-links.ts';
import { membershipSubscriber, suspendAccount, windowSubscriber } from './modules.ts';
import { openParts, type SharedOptions } from './open-parts.ts';
import type { ApiParts } from './parts.ts';
import { createServiceRouter, type ServiceRouter } from './service-router.ts';

export interface ServiceOptions extends SharedOptions {
  /** The mode of sign-up. Open by default. */
  signUp?: SignUpMode;
  /** For each account, over all its keys and surfaces. */
  rateLimit: RateLimit;
  idempotencyWindowHours: number;
  /** Limit of dashboard calls. By default 600 of a sign-in session and 3,000 of an account each minute. */
  callLimit?: CallLimit | undefined;
  /** Days that activity, executions and deliveries are kept. The dashboard shows it. 90 by default. */
  retentionDays?: number;
  /** Days that the bodies of deliveries are kept. Undefined: as long as the deliveries. */
  bodyRetentionDays?: number | undefined;
  /** Days that attendee events are kept. Undefined: for ever. */
  eventRetentionDays?: number | undefined;
  /** Undefined: the installation sends no mail. */
  mail?: MailSettings | undefined;
  /** The clock of rooms, for tests. The database's by default. */
  now?: () => Date;
  /** Longest wait of a room call for locked rows, in milliseconds. 5,000 by default. */
  roomWaitMaxMs?: number;
  /** Reaches metadata documents of clients on this machine, for tests. */
  clientDocuments?: DocumentOptions;
  /** Payment providers beside those of the module, for tests. */
  otherRevenueProviders?: readonly RevenueProvider[];
}

/** The product without HTTP. The API and the tests call it. */
export interface Service extends ApiParts {
  router: ServiceRouter;
  /** For every surface: announces the changes of a write. */
  onWritten: (write: Written) => void;
  /** For the dashboard: adds a change of a member to the audit log. */
  recordChange: NonNullable<RequestContext['recordChange']>;
  /** Flushes activity and wake-ups, then closes every connection. */
  close(): Promise<void>;
}

/** The build of the pages that attendees see. */
const roomFolder = fileURLToPath(new URL('../../room/dist', import.meta.url));

/** The longest time of a read, in milliseconds. Callers wait for it, and it occupies Postgres. Workers have longer statements. */
const statementMaxMs = 5000;

export async function createService(options: ServiceOptions): Promise<Service> {
  const { databaseUrl, baseUrl, encryptionKey, log, now } = options;
  const connections = { statementMaxMs, ...options.connections };
  const { close: closeShared, ...shared } = await openParts({ ...options, connections });
  const { database, secretBox, subscriber, changes } = shared;
  const accounts = await createAccounts({
    databaseUrl,
    isPooled: database.isPooled,
    poolSize: connections.poolSize === undefined ? undefined : Math.ceil(connections.poolSize / 2),
    baseUrl,
    trustedOrigins: loopbackOrigins(baseUrl),
    secret: deriveSecret(encryptionKey, 'sessions'),
    formerSecrets: options.encryptionKeysOld.map((key) => deriveSecret(key, 'sessions')),
    signUp: options.signUp ?? 'open',
    callLimit: options.callLimit,
    mail: options.mail && { mode: options.mail === 'mailbox' ? 'mailbox' : 'smtp', jobs: shared.jobs },
    onError: (message, cause) => logFailure(log, errorOf(cause), { message, requestId: undefined }),
  });
  const watch = createChangeWatch({ database, log });
  const streams = accounts.createStreams(watch);
  const links = createLinks(options);
  const { joinLinks } = links;
  const mailer = openMailer(options.mail, { database, secretBox, log });
  const feed = createRoomFeed({ database, log, now });
  const { announce } = feed;
  const room = createRoom({
    database,
    joinLinks,
    subscriber,
    announce,
    onChanged: (accountId, webinarId) => changes.announce(accountId, 'registrations', webinarId),
    now,
    waitMaxMs: options.roomWaitMaxMs,
  });
  const revenueIntake = createRevenueIntake({
    database,
    secretBox,
    attribution: createAttribution({ subscriber }),
    changes,
    log,
    providers: [...revenueProviders, ...(options.otherRevenueProviders ?? [])],
    baseUrl,
  });
  const clientDocuments = createClientDocuments(options.clientDocuments);
  const destinationPolicy = {
    allowedCidrs: options.webhookAllowedCidrs,
    allowHttp: options.webhookAllowHttp,
    retryScheduleSeconds: options.retryScheduleSeconds,
  };
  const policy = createOutboundPolicy(destinationPolicy);
  const resolver = createResolver();
  const activity = createActivityRecorder({
    pool: database.pool,
    log,
    alsoWrite: countUsage,
    onWritten: (calls) => announceCalls(changes, calls),
  });
  const parts: ApiParts = {
    ...shared,
    baseUrl,
    accounts,
    rateLimit: options.rateLimit,
    streams,
    admitKey: createKeyAdmission(database.pool, options.rateLimit),
    admitGrant: createGrantAdmission(database.pool, options.rateLimit),
    answers: createAnswers({
      query: database.query,
      secretBox,
      windowHours: options.idempotencyWindowHours,
    }),
    activity,
    ...links,
    readRevenue: readRegistrationRevenue,
    readTimeZone: findTimeZone,
    readWorkspaceNames: findWorkspaceNames,
    readBranding: findBranding,
    readWaiting: countWaitingChanges,
    readSuppressed: findSuppressed,
    readMemberAddress: findMemberAddress,
    revenueIntake,
    room,
    feed,
    announce,
    windowSubscriber,
    membershipSubscriber,
    suspendAccount,
    clientDocuments,
    mailer,
    mailbox: options.mail === 'mailbox' ? createMailbox({ database, secretBox }) : undefined,
    pages: createPages(roomFolder),
    checkUrl: (url) => checkDestination(url, { policy, resolver }),
    destinationPolicy,
    retention: {
      retentionDays: options.retentionDays ?? 90,
      bodyRetentionDays: options.bodyRetentionDays,
      eventRetentionDays: options.eventRetentionDays,
    },
    docsUrl: `${baseUrl}/api/v1/docs`,
    now,
  };
  return {
    ...parts,
    router: createServiceRouter(parts),
    onWritten: announceWrites(changes),
    recordChange: (tx, change) => {
      if (!previews.has(change.procedure)) recordMemberChange(tx, change);
    },
    async close() {
      await Promise.all([room.close(), revenueIntake.close(), clientDocuments.close()]);
      await streams.close();
      await Promise.all([activity, accounts, feed, watch].map((part) => part.close()));
      mailer?.close();
      await closeShared();
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

type CredentialKind = AnsweredCall['principal']['kind'];

/** In this order in every transaction, so that two processes never deadlock. */
const counters: readonly (readonly [CredentialKind, CountRequests])[] = [
  ['key', countRequests],
  ['grant', countGrantRequests],
];

/** Counts a batch of calls on their keys and grants, in the transaction that writes the calls. */
async function countUsage(client: pg.ClientBase, calls: readonly AnsweredCall[]): Promise<void> {
  for (const [kind, count] of counters)
    await count(client, sumUp(calls.filter(({ principal }) => principal.kind === kind)));
}

function sumUp(calls: readonly AnsweredCall[]): CredentialUsage[] {
  const usageById = new Map<string, CredentialUsage>();
  for (const { principal, at } of calls) {
    const { accountId, credentialId } = principal;
    const usage = usageById.get(credentialId) ?? { accountId, credentialId, requests: 0, lastUsedAt: at };
    usage.requests += 1;
    if (at > usage.lastUsedAt) usage.lastUsedAt = at;
    usageById.set(credentialId, usage);
  }
  return [...usageById.values()];
}
