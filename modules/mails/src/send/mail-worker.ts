// Sends waiting mails. Each account has a lane with limits of its own; the places of this process are shared so that one account or
// one slow server cannot take all of them. No transaction is open while a mail is sent.
import { setTimeout as sleep } from 'node:timers/promises';
import {
  createPlaces,
  createRepeater,
  slowMs,
  type Place,
  type Repeater,
  type UntilWork,
} from '@service/background';
import type { Connections, MailConnection } from '@service/connections';
import { databaseTime, listenFor, type Database, type Listening } from '@service/database';
import type { Log } from '@service/log';
import type { Mailer } from '@service/mail';
import type { SendOutcome } from '@service/mail-senders';
import { randomUUID } from 'node:crypto';
import {
  claimMails,
  expireMails,
  findDueAccounts,
  postponeAccounts,
  postponeIdle,
  urgentPriority,
  type Claim,
  type ClaimedMail,
  type DueAccount,
} from './claim-mails.ts';
import { lookOftenMs, mailsChannel } from '../queue/notify.ts';
import { decideNext } from './decide-next.ts';
import { addressMembers, type ReadMemberAddresses } from './address-members.ts';
import { prepareMails, type PrepareParts } from './prepare.ts';
import { routeOver, type Route } from './route.ts';
import { createResultWriter, type MailResult } from './record-results.ts';

export interface MailWorkerOptions extends PrepareParts {
  database: Pick<Database, 'query' | 'transaction' | 'connect'>;
  connections: Pick<
    Connections,
    'findMailConnections' | 'openMailConnection' | 'rememberSuccess' | 'recordOutcome' | 'verifyAfterRefusal'
  >;
  /** The sender of the installation. Undefined: it has none. */
  mailer: Mailer | undefined;
  readMemberAddresses: ReadMemberAddresses;
  log: Log;
  /** Called after mails of an account have changed. Must not throw. */
  onChanged?: (accountId: string) => void;
  /** Called with the outcome of each claimed mail after it was written. Must not throw. */
  onOutcome?: (outcome: MailResult) => void;
  /** The period of the search for due mails. While none wait and notifications arrive, it is a second. */
  everyMs?: number;
  /** Resolves to false if a search would find nothing (`workConditions`). By default every search is made. */
  mayFind?: (work: 'due_mails') => Promise<boolean>;
  untilWork?: UntilWork;
}

/** The limit of one send. */
const sendMaxMs = 15_000;
/** From the end of the longest send until a mail counts as lost with its worker. */
const leaseMarginMs = 30_000;

const expireEveryMs = 10_000;

const searchValidMs = 250;

const everyPriority = 2;

export type MailWorker = ReturnType<typeof createMailWorker>;

export function createMailWorker(options: MailWorkerOptions) {
  const { database, connections, mailer, log, everyMs = 500 } = options;
  const { query } = database;
  const stopping = new AbortController();
  const places = createPlaces();
  const underWay = new Set<Promise<void>>();
  let expireAtMs = 0;
  let unserved: DueAccount[] = [];
  let searchAtMs = 0;
  let isTaking = false;
  let isTakingAgain = false;
  let openSends = 0;
  let progressAt = new Date();
  let listening: Listening | undefined;
  let isListening = false;
  let lookOftenUntilMs = 0;

  const lookOften = (): void => {
    lookOftenUntilMs = performance.now() + lookOftenMs;
    repeater.wake();
    takeMore();
  };

  const listen = (): Listening =>
    listenFor({
      database,
      channel: mailsChannel,
      onPayload: lookOften,
      onConnected() {
        isListening = true;
        lookOften();
      },
      onLost() {
        isListening = false;
        repeater.wake();
      },
      onError: (error) => log.warn({ err: error }, 'The connection for new mails is lost. Connecting again'),
    });

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
    { mail, outgoing }: { mail: ClaimedMail; outgoing: Parameters<Route['send']>[0] },
    { route, token, place }: Turn,
  ): Promise<void> => {
    const stop = new AbortController();
    const slowTimer = setTimeout(() => {
      place.slowDown();
      takeMore();
    }, slowMs);
    const stopTimer = setTimeout(() => stop.abort(), sendMaxMs);
    openSends += 1;
    const outcome = mail.wasLost ? lostOutcome(route) : await route.send(outgoing, stop.signal);
    openSends -= 1;
    clearTimeout(slowTimer);
    clearTimeout(stopTimer);
    const waiting = { ...mail, isConfirmation: mail.kind === 'confirmation' };
    const circumstances = { now: databaseTime(), idempotencyMs: route.idempotencyMs, random: Math.random() };
    const next = decideNext(waiting, outcome, circumstances);
    results.add({ mail, token, next, sent: mail.wasLost ? undefined : { route, outcome } });
  };

  const sendAll = async (lease: Lease): Promise<void> => {
    const { token, routeOf, takePlace } = lease;
    const now = databaseTime();
    const { readMemberAddresses } = options;
    const addressed = await Promise.all(
      [...Map.groupBy(lease.mails, ({ accountId }) => accountId)].map(([accountId, own]) =>
        addressMembers(own, { query, accountId, now, token, readMemberAddresses }),
      ),
    );
    const prepared = await prepareMails({ query, now }, addressed.flat(), { ...options, routeOf });
    await Promise.all(
      prepared.map(async (one) => {
        const { mail } = one;
        const place = takePlace(mail.accountId);
        if (one.kind === 'send')
          await sendOne(one, { route: routeOf(mail.accountId), token, place }).finally(() => place.leave());
        else {
          place.giveBack();
          results.add({
            mail,
            token,
            next: { kind: 'ended', status: one.status, reason: one.reason },
            sent: undefined,
          });
        }
        takeMore();
      }),
    );
  };

  /** A failure is reported by the next search of the repeater. */
  const takeMore = (): void => {
    if (stopping.signal.aborted) return;
    const taking = takeAll()
      .catch(() => undefined)
      .finally(() => underWay.delete(taking));
    underWay.add(taking);
  };

  /** Accounts with free places, each with its places. Accounts without a sender are postponed. */
  const enterAll = async (due: readonly DueAccount[]): Promise<Entered[]> => {
    const accountIds = due.map(({ accountId }) => accountId);
    const found = await connections.findMailConnections(query, accountIds);
    const without: string[] = [];
    const entered: Entered[] = [];
    for (const one of due) {
      const { accountId } = one;
      const route = openRoute(accountId, found.get(accountId));
      if (!route) without.push(accountId);
      else {
        const countMax = places.freeFor(accountId, route.limits.open);
        if (countMax === 0) continue;
        const priorityMax = route.isForUrgentOnly ? urgentPriority : everyPriority;
        entered.push({
          ...one,
          route,
          limits: route.limits,
          countMax,
          priorityMax,
          places: Array.from({ length: countMax }, () => places.enter(accountId, route.limits.open)),
        });
      }
    }
    await postponeAccounts(query, without);
    return entered;
  };

  /** A credential that cannot be opened stops the mails of its account only. */
  const openRoute = (accountId: string, found: MailConnection | undefined): Route | undefined => {
    try {
      return routeOver(accountId, found, { connections, mailer });
    } catch (error) {
      log.error({ err: error, accountId }, 'A connection could not be opened');
      return undefined;
    }
  };

  const take = async (due: readonly DueAccount[]): Promise<void> => {
    const entered = await enterAll(due);
    if (entered.length === 0) return;
    const byAccount = new Map(entered.map((one) => [one.accountId, one]));
    const token = randomUUID();
    let mails: ClaimedMail[] = [];
    try {
      mails = await claimMails(query, entered, { token, leaseMs: sendMaxMs + leaseMarginMs });
    } finally {
      // Before the mails were known, their places were taken: they may not be used twice.
      const counts = Map.groupBy(mails, ({ accountId }) => accountId);
      for (const one of entered)
        for (const place of one.places.splice(counts.get(one.accountId)?.length ?? 0)) place.giveBack();
    }
    const idle = entered.filter(({ route, places: own }) => route.isForUrgentOnly && own.length === 0);
    if (mails.length > 0) startSending(mails, token, byAccount);
    await postponeIdle(
      query,
      idle.map(({ accountId }) => accountId),
    );
  };

  const startSending = (
    mails: readonly ClaimedMail[],
    token: string,
    byAccount: ReadonlyMap<string, Entered>,
  ): void => {
    const lease: Lease = {
      mails,
      token,
      routeOf: (accountId) => byAccount.get(accountId)!.route,
      takePlace: (accountId) => byAccount.get(accountId)!.places.pop()!,
    };
    const sending = sendAll(lease)
      .catch((error: unknown) => {
        for (const { places: own } of byAccount.values()) for (const place of own) place.giveBack();
        log.error({ err: error, count: mails.length }, 'Mails could not be prepared');
      })
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
        // While places are full, a search finds more accounts than are served. The others are served before the next search.
        if (unserved.length === 0 || performance.now() > searchAtMs) {
          unserved = await findDueAccounts(query, places.fullKeys());
          searchAtMs = performance.now() + searchValidMs;
          progressAt = new Date();
        }
        // Each account has one mail at least.
        while (unserved.length > 0 && !places.isFull() && !stopping.signal.aborted)
          await take(unserved.splice(0, places.free()));
        if (isTakingAgain) await sleep(gatherMs);
      } while (isTakingAgain && !stopping.signal.aborted);
    } finally {
      isTaking = false;
    }
  };

  const repeater: Repeater = createRepeater({
    everyMs,
    untilWork: () =>
      isListening && performance.now() >= lookOftenUntilMs ? options.untilWork?.() : undefined,
    async run() {
      if (options.mayFind && !(await options.mayFind('due_mails'))) {
        progressAt = new Date();
        return;
      }
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
    start(): void {
      listening ??= listen();
      repeater.start();
    },
    /** Takes nothing new. Resolves when every send has ended and is recorded. */
    async stop(): Promise<void> {
      stopping.abort();
      await listening?.stop();
      await repeater.stop();
      while (underWay.size > 0) await Promise.all(underWay);
      await results.drain();
    },
  };
}

/** Places become free one by one. A round for each of them would have statements of its own. */
const gatherMs = 40;

interface Entered extends Claim {
  route: Route;
  places: Place[];
}

/** Claimed mails of several accounts. */
interface Lease {
  mails: readonly ClaimedMail[];
  token: string;
  routeOf: (accountId: string) => Route;
  /** Once for each mail. */
  takePlace: (accountId: string) => Place;
}

interface Turn {
  route: Route;
  token: string;
  place: Place;
}

/** The worker that had claimed the mail died. Perhaps it had sent it. */
const lostOutcome = ({ idempotencyMs }: Route): SendOutcome => {
  const reason = 'The worker ended during the send.';
  return idempotencyMs === undefined
    ? { kind: 'uncertain', reason }
    : { kind: 'later', reason, retryAfterMs: undefined, restsLane: false, mayHaveArrived: true };
};
