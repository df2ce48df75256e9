// A workspace with a webinar and a marketing tool, and a worker whose time the test moves.
import {
  contactsModule,
  createContactWorker,
  releaseParkedChanges,
  type Clock,
  type ContactResult,
  type ContactWorker,
} from '@service/contacts';
import type { SyncSettings } from '@service/connections';
import { accountWriter, databaseTime, type AccountWriter } from '@service/database';
import { createLog } from '@service/log';
import { findSuppressed } from '@service/mails';
import type { ProviderId } from '@service/marketing-providers';
import { credentialOf, startFake, type RunningFake } from '@service/marketing-providers/testing';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { insertMarketingConnection } from '../support/marketing-connections.ts';
import { createWorld, type World } from '../support/world.ts';

export const allInStep: SyncSettings = {
  enabled: true,
  fields: { lastWebinar: { key: 'last_webinar', policy: 'always' } },
  tags: { prefix: 'webinar ', use: ['registered', 'attended', 'missed'] },
  lists: [],
  webinarsLeftOut: [],
  domainsLeftOut: [],
};

/** The time of workers and of the limits of the fakes. A wait moves it. */
export interface TestClock extends Clock {
  advance(seconds: number): void;
}

export function createTestClock(): TestClock {
  let aheadMs = 0;
  return {
    now: () => new Date(databaseTime().getTime() + aheadMs),
    advance: (seconds) => void (aheadMs += seconds * 1000),
    async wait(ms) {
      // Waits that begin at the same time end at the same time.
      const until = databaseTime().getTime() + aheadMs + ms;
      await setImmediate();
      aheadMs = Math.max(aheadMs, until - databaseTime().getTime());
    },
  };
}

export interface Change {
  contact: string;
  isTaken: boolean;
  attempts: number;
  isParked: boolean;
  causes: string[];
  /** Seconds from the present time of the clock. */
  dueIn: number;
}

export interface ContactsWorld extends AsyncDisposable {
  world: World;
  fake: RunningFake;
  clock: TestClock;
  connectionId: string;
  worker: ContactWorker;
  /** Another one, as if it were another process. `die` takes its database away. `beforeWrite` is awaited before results are written. */
  anotherWorker(options?: { beforeWrite?: () => Promise<void> }): ContactWorker & { die(): void };
  /** Waiting changes that are due, of so many people: person1@example.com and so on. Tags by default. */
  queue(
    people: number,
    parts?: { fields?: object; tags?: object; events?: object[]; isBackfill?: boolean },
  ): Promise<unknown>;
  /** Moves the time over the first second of changes and sends what is due. */
  send(): Promise<void>;
  changes(): Promise<Change[]>;
  sends(): Promise<{ contact: string; outcome: string; calls: string[]; reason: string | null }[]>;
  /** Workers do it every few seconds. */
  releaseParked(): Promise<void>;
  suspend(): Promise<void>;
  resume(): Promise<void>;
  /** The results of attempts of all workers, as metrics count them. */
  results: ContactResult[];
  state(): Promise<{ state: string; reason: string | null }>;
  sql<Row = Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]>;
}

interface Options {
  tool?: ProviderId;
  sync?: Partial<SyncSettings>;
  /** Shares the service of another world. */
  world?: World;
  /** The limits of the tool count. */
  isLimited?: boolean;
  /** Stands in for the address of the fake. */
  throughOf?: (fake: RunningFake) => string;
}

export async function createContactsWorld({
  tool = 'klaviyo',
  sync = {},
  world: shared,
  isLimited = false,
  throughOf = ({ baseUrl }) => baseUrl,
}: Options = {}): Promise<ContactsWorld> {
  const world = shared ?? (await createWorld());
  const clock = createTestClock();
  const fake = await startFake(tool, isLimited ? { now: () => clock.now().getTime() } : {});
  const { api, db } = world.service;
  const { connections, readRevenue } = api.service;
  const connectionId = await insertMarketingConnection(db.database, connections, {
    accountId: world.accountId,
    provider: tool,
    credential: credentialOf(tool),
    baseUrl: throughOf(fake),
    sync: { ...allInStep, ...sync },
  });
  const results: ContactResult[] = [];
  const anotherWorker: ContactsWorld['anotherWorker'] = ({ beforeWrite = async () => undefined } = {}) => {
    let isDead = false;
    const requireAlive = (): void => {
      if (isDead) throw new Error('The worker is dead.');
    };
    const worker = createContactWorker({
      database: {
        async query(...call) {
          requireAlive();
          if (call[0].name === 'contacts.settle') await beforeWrite();
          return db.database.query(...call);
        },
        async transaction(work) {
          requireAlive();
          await beforeWrite();
          return db.database.transaction(work);
        },
      },
      marketing: connections.marketing,
      readRevenue,
      readSuppressed: findSuppressed,
      log: createLog('test', { level: 'silent' }),
      clock,
      everyMs: 20,
      onResult: (_provider, result) => void results.push(result),
    });
    return { ...worker, die: () => void (isDead = true) };
  };
  const worker = anotherWorker();
  const asAccount = (work: (tx: AccountWriter) => Promise<void>): Promise<void> =>
    db.database.transaction((tx) =>
      work(accountWriter(tx, { accountId: world.accountId, now: clock.now() })),
    );
  const sql = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
    (await db.database.pool.query(text, values)).rows as Row[];
  return {
    world,
    fake,
    clock,
    connectionId,
    worker,
    anotherWorker,
    sql,
    results,
    queue: (people, { fields = {}, tags = { x: true }, events = [], isBackfill = false } = {}) =>
      sql(
        `insert into contacts.change (account_id, connection_id, contact, is_taken, in_step, fields, tags, lists, events, causes,
           is_backfill, attempts, first_at, last_at, due_at)
         select $1, $2, 'person' || n || '@example.com', false, false, $4, $5, '{}', $6, '[]', $7, 0, now(), now(), now()
         from generate_series(1, $3::int) n`,
        [
          world.accountId,
          connectionId,
          people,
          ...[fields, tags, events].map((part) => JSON.stringify(part)),
          isBackfill,
        ],
      ),
    async send() {
      clock.advance(1.5);
      await worker.sendDue();
    },
    changes: () =>
      sql(
        `select contact, is_taken as "isTaken", attempts, parked_at is not null as "isParked", causes,
           round(extract(epoch from due_at - $2::timestamptz))::int as "dueIn"
         from contacts.change where connection_id = $1 order by contact, is_taken`,
        [connectionId, clock.now()],
      ),
    sends: () =>
      sql('select contact, outcome, calls, reason from contacts.send where connection_id = $1 order by id', [
        connectionId,
      ]),
    releaseParked: () => releaseParkedChanges(db.database, connections.marketing, clock.now()),
    suspend: () => asAccount((tx) => contactsModule.subscribers.suspension.accountSuspended(tx)),
    resume: () => asAccount((tx) => contactsModule.subscribers.suspension.accountResumed(tx)),
    async state() {
      const [row] = await sql<{ state: string; reason: string | null }>(
        'select state, reason from connections.connection where id = $1',
        [connectionId],
      );
      return row!;
    },
    async [Symbol.asyncDispose]() {
      await worker.stop();
      await fake[Symbol.asyncDispose]();
      if (!shared) await world[Symbol.asyncDispose]();
    },
  };
}

export type Gate = Awaited<ReturnType<typeof startGate>>;

/** The calls of its workers wait at a gate. */
export async function createGatedWorld(
  options: Omit<Options, 'throughOf'> = {},
): Promise<ContactsWorld & { gate: Gate }> {
  let target = '';
  const gate = await startGate(() => target);
  const contacts = await createContactsWorld({
    ...options,
    throughOf(fake) {
      target = fake.baseUrl;
      return gate.baseUrl;
    },
  });
  return {
    ...contacts,
    gate,
    async [Symbol.asyncDispose]() {
      gate.open();
      await contacts[Symbol.asyncDispose]();
      await gate[Symbol.asyncDispose]();
    },
  };
}

export const contactOf = ({ fake }: Pick<ContactsWorld, 'fake'>, email = 'ada@example.com') =>
  fake.contacts.get(email);

/** Lets requests to `target` wait until it is opened. */
export async function startGate(target: () => string) {
  const opening = Promise.withResolvers<void>();
  let isPassing = false;
  let waiting = 0;
  const forward = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    waiting += 1;
    if (!isPassing) await opening.promise;
    waiting -= 1;
    const { method = 'GET', headers, url } = incoming;
    const answer = await fetch(`${target()}${url}`, {
      method,
      headers: Object.entries(headers).filter(
        (header): header is [string, string] => typeof header[1] === 'string' && header[0] !== 'connection',
      ),
      ...(method !== 'GET' && { body: Buffer.concat(chunks) }),
    }).catch(() => undefined);
    response.writeHead(answer?.status ?? 502, { 'content-type': 'application/json' });
    response.end(await answer?.text());
  };
  const server = createServer((incoming, response) => void forward(incoming, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    open: () => opening.resolve(),
    /** Later requests pass. */
    pass: () => void (isPassing = true),
    waiting: () => waiting,
    async [Symbol.asyncDispose]() {
      opening.resolve();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
