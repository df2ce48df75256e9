// Sends the changes of one leased lane. No transaction is open while a tool is called.
import { slowMs, type Place, type Places } from '@service/background';
import type { RevenueReader } from '@service/attendees';
import type { MarketingConnection, MarketingConnections } from '@service/connections';
import { createId, type Database } from '@service/database';
import type { Log } from '@service/log';
import type { ContactChange } from '@service/marketing-providers';
import { setTimeout as delay } from 'node:timers/promises';
import type { ContactResult } from '../entities.ts';
import type { CallLimits } from './call-limits.ts';
import { leaseMs, release, renew, type LaneKey, type LeaseState } from './connection-lanes.ts';
import { insertImportJob, readImportJob, takeImportJob } from './import-jobs.ts';
import { decideNextAttempt } from './decide-next-attempt.ts';
import { sendBatch, sendContact, type MakeCall, type Sent } from './send-contact.ts';
import { recordSentEvents, settleResults, type Result } from './settle-results.ts';
import { takeChanges, type SuppressionReader, type TakenChange } from './take-changes.ts';

/** Time as an argument. */
export interface Clock {
  now(): Date;
  /** Resolves after this time, or early when the signal aborts. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

/** Shared by the lanes of a worker. */
interface LaneParts {
  database: Pick<Database, 'query' | 'transaction'>;
  marketing: Pick<
    MarketingConnections,
    'findById' | 'open' | 'rememberSuccess' | 'record' | 'verifyAfterRefusal'
  >;
  readRevenue: RevenueReader;
  readSuppressed: SuppressionReader;
  log: Log;
  clock: Clock;
  places: Places;
  /** Places in use, by account. */
  openByAccount: Map<string, number>;
  /** The worker takes nothing new. */
  stopping: AbortSignal;
  everyMs: number;
  callMaxMs: number;
  /** A call begins (1) or has ended (-1). */
  onCall(change: 1 | -1): void;
  onProgress(): void;
  onChanged?: ((accountId: string) => void) | undefined;
  onResult?: ((provider: string, result: ContactResult) => void) | undefined;
}

/** A lane that this worker has leased. */
interface OwnLane {
  lane: LaneKey;
  token: string;
  limits: CallLimits;
  /** Entries of `learnt` that are the same for all contacts of the connection: ids of tags, settings of the account. */
  known: Map<string, string>;
  connection: MarketingConnection;
}

/** From so many waiting contacts on, the batch call of a tool is used. */
const batchMin = 20;
/** Contacts that are composed at once. */
const batchMax = 500;
/** The part of a lane that a run may use, while others wait for the rest. */
const quietShare = 0.5;
/** A call waits so long for the limits of its tool. Beyond that its lane rests. */
const limitWaitMaxMs = 1500;
/** The age of a connection as a lane knows it. */
const connectionMaxAgeMs = 2000;
/** A lane looks so often for imports whose result is due. */
const importsEveryMs = 1000;
/** Settings of the account at the tool are asked for again after this time. */
const settingsMaxAgeMs = 60_000;
/** Places of one account, over all of its connections. */
const accountPlacesMax = 32;

/** Takes and sends the changes of a leased lane until nothing is due or the lane must end. */
export function createLaneRun({ lane, token, limits, known, connection: found }: OwnLane, parts: LaneParts) {
  const { database, marketing, clock, places, openByAccount, stopping, log, readRevenue, readSuppressed } =
    parts;
  const { query } = database;
  const { accountId } = lane;
  const reader = { query, accountId };
  const sends = new Set<Promise<void>>();
  /** Contacts whose rows are taken, until their results are written. */
  const flying = new Set<string>();
  let connection = found;
  let connectionAtMs = clock.now().getTime();
  let settingsAtMs = Number.NEGATIVE_INFINITY;
  const waiting: ReadyChange[] = [];
  /** Of runs, behind the others. */
  const waitingQuiet: ReadyChange[] = [];
  /** False when the people of a run cannot be sent together, such as with values that are only set if empty. */
  let areRunsBatches = true;
  let results: Result[] = [];
  let restUntilMs = 0;
  let renewedAtMs = clock.now().getTime();
  let backfills = 0;
  let hasRefusal = false;
  let isLost = false;
  let isSuspended = false;
  let isReadingImport = false;
  let importsAtMs = 0;

  const mustEnd = (): boolean =>
    isLost ||
    isSuspended ||
    hasRefusal ||
    stopping.aborted ||
    restUntilMs > clock.now().getTime() ||
    !takesChanges(connection);

  const opened = () => marketing.open(connection);

  /** The calls of one send. `end` gives back those that were not made. */
  const callsFor = (place: Place, share: number): { call: MakeCall; end(): void } => {
    const reservation = limits.reserveCalls(share);
    const call: MakeCall = async (request, followers) => {
      const later = followers.map((one) => one.limits);
      let leftMs = limitWaitMaxMs;
      for (;;) {
        if (isLost || isSuspended || stopping.aborted) return { throttledMs: 0 };
        const waitMs = reservation.take(request.limits, clock.now(), later);
        if (waitMs === 0) break;
        if (waitMs > leftMs) return { throttledMs: waitMs };
        await clock.wait(waitMs, stopping);
        leftMs -= waitMs;
      }
      const { provider, credential, contextFor } = opened();
      const slowTimer = setTimeout(() => place.slowDown(), slowMs);
      parts.onCall(1);
      try {
        return await provider.send(request, credential, contextFor(AbortSignal.timeout(parts.callMaxMs)));
      } finally {
        parts.onCall(-1);
        clearTimeout(slowTimer);
      }
    };
    return { call, end: reservation.release };
  };

  const finish = (taken: TakenChange, sent: Sent, startedMs: number): void => {
    const { attempted } = sent;
    const next = decideNextAttempt(taken.row.attempts, attempted, Math.random());
    if (attempted.kind === 'credential_refused') hasRefusal = true;
    const nowMs = clock.now().getTime();
    const restMs = next.kind === 'again' ? next.restMs : null;
    // The quiet share of a run is used up before the lane is.
    const isShareUsedUp = taken.row.isBackfill && attempted.kind === 'throttled' && attempted.isOwn === true;
    if (restMs !== null && !isShareUsedUp) restUntilMs = Math.max(restUntilMs, nowMs + restMs);
    results.push({
      taken,
      sent,
      next: isShareUsedUp && next.kind === 'again' ? { ...next, waitMs: restMs ?? 0 } : next,
      durationMs: nowMs - startedMs,
    });
  };

  const inPlace = (isBackfill: boolean, work: (call: MakeCall) => Promise<void>): void => {
    const place = places.enter(lane.id, opened().provider.open);
    openByAccount.set(accountId, (openByAccount.get(accountId) ?? 0) + 1);
    backfills += isBackfill ? 1 : 0;
    const { call, end } = callsFor(place, isBackfill ? quietShare : 1);
    const sending = work(call)
      .catch((error: unknown) => {
        // Its rows are returned with the lane.
        isLost = true;
        log.error({ err: error, ...lane }, 'A change of a contact could not be sent');
      })
      .finally(() => {
        end();
        place.leave();
        backfills -= isBackfill ? 1 : 0;
        openByAccount.set(accountId, openByAccount.get(accountId)! - 1);
        if (openByAccount.get(accountId) === 0) openByAccount.delete(accountId);
        sends.delete(sending);
      });
    sends.add(sending);
  };

  const sendAlone = (taken: ReadyChange): void =>
    inPlace(taken.row.isBackfill, async (call) => {
      const { row, change } = taken;
      const startedMs = clock.now().getTime();
      const sent = await sendContact(change, {
        ...opened(),
        call,
        known,
        isErasure: row.isErasure,
        onEventSent: (ids) =>
          recordSentEvents(query, {
            lane,
            token,
            contact: row.contact,
            left: row.events.filter(({ id }) => !ids.has(id)),
          }).then(() => undefined),
      });
      finish(taken, sent, startedMs);
    });

  const sendTogether = (batch: readonly ReadyChange[]): void =>
    inPlace(batch[0]!.row.isBackfill, async (call) => {
      const startedMs = clock.now().getTime();
      const firstSendId = createId();
      const sent = await sendBatch(
        batch.map(({ change }) => change),
        {
          ...opened(),
          call,
          onJob: (id) => insertImportJob(query, lane, { id, firstSendId, now: clock.now() }),
        },
      );
      for (const [index, taken] of batch.entries()) {
        const one = sent[index]!;
        if (one === 'alone') (taken.row.isBackfill ? waitingQuiet : waiting).push(taken);
        else finish(taken, one, startedMs);
      }
    });

  const freePlaces = (): number =>
    Math.min(
      opened().provider.open - sends.size,
      places.freeFor(lane.id, opened().provider.open),
      accountPlacesMax - (openByAccount.get(accountId) ?? 0),
    );

  /** The places that a run may take now. */
  const freeQuiet = (): number =>
    Math.min(freePlaces(), Math.max(1, Math.floor(opened().provider.open * quietShare)) - backfills);

  /** Reads the result of one import at a time. */
  const readDueImport = async (): Promise<void> => {
    const { provider } = opened();
    const nowMs = clock.now().getTime();
    if (!provider.batch?.job || isReadingImport || nowMs < importsAtMs || freePlaces() <= 0) return;
    importsAtMs = nowMs + importsEveryMs;
    const job = await takeImportJob(query, lane, { token, now: clock.now() });
    if (!job) return;
    isReadingImport = true;
    inPlace(true, async (call) => {
      const restMs = await readImportJob(lane, job, { ...opened(), query, call, clock }).finally(
        () => void (isReadingImport = false),
      );
      if (restMs > 0) restUntilMs = Math.max(restUntilMs, clock.now().getTime() + restMs);
    });
  };

  /** Takes what is due. Runs get the places that others leave, and half of the lane at most. */
  const takeDue = async (): Promise<void> => {
    const { batch } = opened().provider;
    const free = freePlaces();
    if (free <= 0) return;
    const countMax = batch ? Math.min(Math.max(batch.max, free), batchMax) : free;
    const now = clock.now();
    const take = (most: number, isBackfill: boolean) =>
      takeChanges(reader, {
        connection,
        readRevenue,
        readSuppressed,
        now,
        token,
        countMax: most,
        without: [...flying],
        isBackfill,
      });
    const fresh = await take(countMax, false);
    waiting.push(...begin(fresh));
    const room = Math.min(freeQuiet(), free - fresh.length);
    if (room <= 0 || waitingQuiet.length > 0) return;
    const quietMax = batch && areRunsBatches ? Math.min(room * batch.max, countMax) : room;
    const alone = begin(await take(quietMax, true));
    waitingQuiet.push(...alone.slice(0, room));
    // Newer facts about a taken contact wait, so people of a run who are sent alone are taken for free places only.
    giveBack(alone.slice(room));
    areRunsBatches &&= alone.length <= room;
  };

  /** Ends changes without parts and sends batches. Returns the changes that are sent alone. */
  const begin = (taken: readonly TakenChange[]): ReadyChange[] => {
    for (const { row } of taken) flying.add(row.contact);
    const ready = taken.filter((one) => isReady(one));
    for (const one of taken) if (!isReady(one)) finish(one, nothingSent, clock.now().getTime());
    const { batch } = opened().provider;
    const together =
      batch && ready.length >= batchMin
        ? ready.filter(({ row, change }) => !row.isErasure && batch.suits(change))
        : [];
    if (together.length < 2) return ready;
    for (let start = 0; start < together.length; start += batch!.max)
      sendTogether(together.slice(start, start + batch!.max));
    const begun = new Set(together);
    return ready.filter((one) => !begun.has(one));
  };

  const startWaiting = (): void => {
    while (waiting.length > 0 && freePlaces() > 0) sendAlone(waiting.shift()!);
    while (waiting.length === 0 && waitingQuiet.length > 0 && freeQuiet() > 0)
      sendAlone(waitingQuiet.shift()!);
  };

  /** Changes that were taken and not begun wait again, without a line in the history. */
  const giveBack = (changes: readonly ReadyChange[]): void => {
    for (const taken of changes) results.push({ taken, sent: notSent, next: notBegun(taken), durationMs: 0 });
  };

  const write = async (): Promise<void> => {
    const written = results;
    results = [];
    const now = clock.now();
    const used = { id: connection.id, version: connection.version };
    const limitsNow = limits.toStored(now);
    let state: LeaseState;
    if (written.length > 0)
      state = await settleResults({ database, marketing }, written, {
        lane,
        token,
        used,
        limits: limitsNow,
        now,
      });
    else if (now.getTime() - renewedAtMs > leaseMs / 3)
      state = await renew(query, lane, { token, now, limits: limitsNow });
    else return;
    isLost ||= state === 'lost';
    isSuspended ||= state === 'suspended';
    if (isLost) return;
    for (const { taken, sent, next } of written) {
      flying.delete(taken.row.contact);
      parts.onResult?.(connection.provider, resultOf(sent, next));
    }
    renewedAtMs = now.getTime();
    parts.onProgress();
    if (written.length > 0) parts.onChanged?.(accountId);
  };

  const readConnection = async (): Promise<void> => {
    if (clock.now().getTime() - settingsAtMs >= settingsMaxAgeMs) {
      settingsAtMs = clock.now().getTime();
      for (const name of known.keys()) if (name.startsWith('account:')) known.delete(name);
    }
    if (clock.now().getTime() - connectionAtMs < connectionMaxAgeMs) return;
    connectionAtMs = clock.now().getTime();
    const now = await marketing.findById(reader, lane.id);
    if (now && now.version !== connection.version) known.clear();
    if (now) connection = now;
    else isLost = true;
  };

  /** Ends when nothing is due, or when the lane must end and its calls have ended. */
  const sendAll = async (): Promise<void> => {
    for (;;) {
      await write();
      await readConnection();
      if (mustEnd()) giveBack([...waiting.splice(0), ...waitingQuiet.splice(0)]);
      else {
        if (waiting.length === 0) await takeDue();
        await readDueImport();
      }
      startWaiting();
      if (results.length > 0 && !isLost) continue;
      if (sends.size === 0 && (waiting.length + waitingQuiet.length === 0 || isLost)) return;
      const gathered = new AbortController();
      await Promise.race([
        ...sends,
        delay(parts.everyMs, undefined, { signal: gathered.signal }).catch(() => undefined),
      ]);
      gathered.abort();
    }
  };

  return {
    async run(): Promise<void> {
      try {
        await sendAll();
      } catch (error) {
        isLost = true;
        throw error;
      } finally {
        await Promise.all(sends);
      }
      if (isLost) return;
      const restUntil = restUntilMs > clock.now().getTime() ? new Date(restUntilMs) : null;
      await release(query, lane, { token, limits: limits.toStored(clock.now()), restUntil });
      if (hasRefusal)
        await marketing
          .verifyAfterRefusal(accountId, { id: connection.id, version: connection.version })
          .catch((error: unknown) =>
            log.warn({ err: error, accountId }, 'A connection could not be verified'),
          );
    },
  };
}

/** False while the changes of a connection wait for a person. */
export const takesChanges = ({ isPaused, state }: MarketingConnection): boolean =>
  !isPaused && state !== 'disconnected';

/** A change that has parts to send. */
type ReadyChange = TakenChange & { change: ContactChange };

const isReady = (taken: TakenChange): taken is ReadyChange => taken.change !== undefined;

const nothingSent: Sent = {
  attempted: { kind: 'skipped', reason: 'There is nothing to send.' },
  problems: [],
  calls: [],
  status: null,
  bodyHash: null,
  endedEvents: new Set(),
  endedLists: new Set(),
};

const notSent: Sent = {
  ...nothingSent,
  attempted: { kind: 'throttled', reason: 'It was not begun.', retryAfterMs: undefined },
};

const resultOf = (sent: Sent, next: Result['next']): ContactResult =>
  sent === notSent ? 'not_begun' : next.kind === 'parked' ? 'parked' : sent.attempted.kind;

const notBegun = ({ row }: TakenChange): Result['next'] => ({
  kind: 'again',
  waitMs: 0,
  attempts: row.attempts,
  restMs: null,
});
