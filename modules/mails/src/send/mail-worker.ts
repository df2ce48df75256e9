// Sends waiting mails. Each account has a lane with limits of its own; the places of this process are shared so that one account or
// one slow server cannot take all of them. No transaction is open while a mail is sent.
import { createRepeater } from '@service/background';
import type { Connections } from '@service/connections';
import { databaseTime, type Database } from '@service/database';
import type { Log } from '@service/log';
import type { Mailer } from '@service/mail';
import type { SendOutcome } from '@service/mail-senders';
import { randomUUID } from 'node:crypto';
import {
  claimMails,
  expireMails,
  findDueAccounts,
  postponeAccount,
  type ClaimedMail,
  type DueAccount,
} from './claim-mails.ts';
import { decideNext } from './decide-next.ts';
import { createPlaces, slowMs, type Place } from './send-places.ts';
import { prepareMails, type PrepareParts } from './prepare.ts';
import { findRoute, type Route } from './route.ts';
import { createResultWriter, type MailOutcome } from './record-results.ts';

export interface MailWorkerOptions extends PrepareParts {
  database: Pick<Database, 'query' | 'transaction'>;
  connections: Pick<
    Connections,
    'findMailConnection' | 'openMailConnection' | 'recordOutcome' | 'verifyAfterRefusal'
  >;
  /** The sender of the installation. Undefined: it has none. */
  mailer: Mailer | undefined;
  log: Log;
  /** Called after mails of an account have changed. Must not throw. */
  onChanged?: (accountId: string) => void;
  /** Called with the outcome of each claimed mail after it was written. Must not throw. */
  onOutcome?: (outcome: MailOutcome) => void;
  /** The period of the search for due mails. */
  everyMs?: number;
  /** The limit of one send. */
  sendMaxMs?: number;
}

/** From the end of the longest send until a mail counts as lost with its worker. */
const leaseMarginMs = 30_000;

const expireEveryMs = 10_000;

/** Accounts whose mails are claimed at the same time. */
const accountsAtOnce = 4;

const urgentPriority = 0;
const everyPriority = 2;

export type MailWorker = ReturnType<typeof createMailWorker>;

export function createMailWorker(options: MailWorkerOptions) {
  const { database, connections, mailer, log, everyMs = 500, sendMaxMs = 15_000 } = options;
  const { query } = database;
  const stopping = new AbortController();
  const places = createPlaces();
  const underWay = new Set<Promise<void>>();
  let expireAtMs = 0;
  let isTaking = false;
  let isTakingAgain = false;
  let openSends = 0;
  let progressAt = new Date();

  const results = createResultWriter({
    database,
    connections,
    now: databaseTime,
    log,
    onWritten(accountId, outcomes) {
      progressAt = new Date();
      for (const outcome of outcomes) options.onOutcome?.(outcome);
      options.onChanged?.(accountId);
    },
  });

  const sendOne = async (
    { accountId, route, token }: Lease,
    { mail, outgoing }: { mail: ClaimedMail; outgoing: Parameters<Route['send']>[0] },
    place: Place,
  ): Promise<void> => {
    const slowTimer = setTimeout(() => {
      place.slowDown();
      takeMore();
    }, slowMs);
    openSends += 1;
    const outcome = mail.wasLost
      ? lostOutcome(route)
      : await route.send(outgoing, AbortSignal.timeout(sendMaxMs));
    openSends -= 1;
    clearTimeout(slowTimer);
    const waiting = { ...mail, isConfirmation: mail.kind === 'confirmation' };
    const circumstances = { now: databaseTime(), idempotencyMs: route.idempotencyMs, random: Math.random() };
    const next = decideNext(waiting, outcome, circumstances);
    results.add({ accountId, mail, token, next, sent: mail.wasLost ? undefined : { route, outcome } });
  };

  const sendAll = async (lease: Lease, mails: readonly ClaimedMail[]): Promise<void> => {
    const { accountId, route, token, entered } = lease;
    const reader = { query, accountId, now: databaseTime() };
    const prepared = await prepareMails(reader, mails, { ...options, route }).catch((error: unknown) => {
      for (const place of entered) place.giveBack();
      throw error;
    });
    await Promise.all(
      prepared.map(async (one, index) => {
        const place = entered[index]!;
        if (one.kind === 'send') await sendOne(lease, one, place).finally(() => place.leave());
        else {
          place.giveBack();
          results.add({
            accountId,
            mail: one.mail,
            token,
            next: { kind: 'ended', status: one.status, reason: one.reason } as const,
            sent: undefined,
          });
        }
        takeMore();
      }),
    );
  };

  /** A failure is reported by the next search of the repeater. */
  const takeMore = (): void => {
    if (!stopping.signal.aborted) takeAll().catch(() => undefined);
  };

  const take = async (due: DueAccount): Promise<void> => {
    const { accountId } = due;
    const route = await findRoute({ query, accountId }, { connections, mailer });
    if (!route) {
      await postponeAccount(query, accountId);
      return;
    }
    // Other accounts are served at the same time, so the places are taken before the mails are known.
    const countMax = Math.min(places.freeFor(accountId), route.limits.open);
    if (countMax === 0) return;
    const entered = Array.from({ length: countMax }, () => places.enter(accountId));
    const token = randomUUID();
    let mails: ClaimedMail[] = [];
    try {
      mails = await claimMails(query, due, {
        limits: route.limits,
        countMax,
        token,
        leaseMs: sendMaxMs + leaseMarginMs,
        priorityMax: route.isForUrgentOnly ? urgentPriority : everyPriority,
      });
    } finally {
      for (const place of entered.splice(mails.length)) place.giveBack();
    }
    if (mails.length === 0) {
      if (route.isForUrgentOnly) await postponeAccount(query, accountId);
      return;
    }
    const sending = sendAll({ accountId, route, token, entered }, mails)
      .catch((error: unknown) => log.error({ err: error, accountId }, 'Mails could not be prepared'))
      .finally(() => underWay.delete(sending));
    underWay.add(sending);
  };

  /** One search at a time. A call during a search is followed by another search. */
  const takeAll = async (): Promise<void> => {
    if (isTaking) {
      isTakingAgain = true;
      return;
    }
    isTaking = true;
    try {
      do {
        isTakingAgain = false;
        const waiting = (await findDueAccounts(query)).values();
        progressAt = new Date();
        const serve = async (): Promise<void> => {
          for (const due of waiting) {
            if (stopping.signal.aborted || places.isFull()) return;
            await take(due);
          }
        };
        await Promise.all(Array.from({ length: accountsAtOnce }, serve));
      } while (isTakingAgain && !stopping.signal.aborted);
    } finally {
      isTaking = false;
    }
  };

  const repeater = createRepeater({
    everyMs,
    async run() {
      if (performance.now() >= expireAtMs) {
        expireAtMs = performance.now() + expireEveryMs;
        await expireMails(query);
      }
      await takeAll();
    },
    onFailure: (error) => log.error({ err: error }, 'Sending mails failed and is tried again'),
  });

  return {
    openSends: (): number => openSends,
    /** The time of the last search for due mails, or of the last written result. */
    lastProgressAt: (): Date => progressAt,
    start: (): void => repeater.start(),
    /** Takes nothing new. Resolves when every send has ended and is recorded. */
    async stop(): Promise<void> {
      stopping.abort();
      await repeater.stop();
      await Promise.all(underWay);
      await results.drain();
    },
  };
}

interface Lease {
  accountId: string;
  route: Route;
  token: string;
  /** One for each mail. */
  entered: readonly Place[];
}

/** The worker that had claimed the mail died. Perhaps it had sent it. */
const lostOutcome = ({ idempotencyMs }: Route): SendOutcome => {
  const reason = 'The worker ended during the send.';
  return idempotencyMs === undefined
    ? { kind: 'uncertain', reason }
    : { kind: 'later', reason, retryAfterMs: undefined, restsLane: false, mayHaveArrived: true };
};
