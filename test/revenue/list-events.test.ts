import { randomUUID } from 'node:crypto';
import { createId } from '@service/database';
import fc from 'fast-check';
import { expect } from 'vitest';
import { callRest, createTestAccount, createTestKey, type TestApi } from '../support/api.ts';
import { test as base } from '../support/service-test.ts';
import { insertLedgerRows, ledgerRow, type LedgerRow } from './ledger-rows.ts';

interface Filters {
  from?: string;
  to?: string;
  type?: string;
  source?: string;
  state?: string;
  attributed?: boolean;
  webinarId?: string;
  interactionId?: string;
  email?: string;
}

const webinarIds = [randomUUID(), randomUUID()];
const interactionIds = [randomUUID(), randomUUID()];
const start = Date.UTC(2026, 5, 1);
const secondAt = (second: number): Date => new Date(start + second * 1000);

const types = ['purchase', 'purchase', 'purchase', 'refund', 'chargeback', 'refund_reversal'] as const;
const emails = ['ada@example.com', 'grace@example.com', null];

/** Few values each, and times that many rows share. */
const rowOf = fc
  .record({
    type: fc.constantFrom(...types),
    provider: fc.constantFrom('generic', 'stripe'),
    email: fc.constantFrom(...emails),
    second: fc.integer({ min: 0, max: 40 }),
    state: fc.constantFrom('paid', 'paid', 'partially_refunded', 'refunded', 'charged_back'),
    level: fc.constantFrom('offer_click', 'attended', 'registered', 'unattributed'),
    webinarId: fc.constantFrom(...webinarIds),
    interactionId: fc.constantFrom(...interactionIds),
  })
  .map(({ second, level, webinarId, interactionId, type, state, ...row }) =>
    ledgerRow({
      ...row,
      type,
      level,
      amountMinor: type === 'refund' || type === 'chargeback' ? -500 : 1000,
      state: type === 'purchase' ? state : null,
      occurredAt: secondAt(second),
      webinarId: level === 'unattributed' ? null : webinarId,
      interactionId: level === 'offer_click' ? interactionId : null,
      registrationId: level === 'unattributed' ? null : randomUUID(),
    }),
  );

const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined, freq: 2 });

const filtersOf = fc.record({
  from: optional(fc.integer({ min: 0, max: 14 }).map((second) => secondAt(second).toISOString())),
  to: optional(fc.integer({ min: 15, max: 41 }).map((second) => secondAt(second).toISOString())),
  type: optional(fc.constantFrom(...new Set(types))),
  source: optional(fc.constantFrom('generic', 'stripe')),
  state: optional(fc.constantFrom('paid', 'refunded', 'charged_back')),
  attributed: optional(fc.boolean()),
  webinarId: optional(fc.constantFrom(...webinarIds)),
  interactionId: optional(fc.constantFrom(...interactionIds)),
  email: optional(fc.constantFrom('ada@example.com', 'Grace@Example.com')),
});

/** The ids that a list must have. */
const expectedIds = (rows: readonly LedgerRow[], filters: Filters): string[] =>
  rows
    .filter(
      (row) =>
        (filters.from === undefined || row.occurredAt >= new Date(filters.from)) &&
        (filters.to === undefined || row.occurredAt < new Date(filters.to)) &&
        (filters.type ?? row.type) === row.type &&
        (filters.source ?? row.provider) === row.provider &&
        (filters.state ?? row.state) === row.state &&
        (filters.attributed ?? row.level !== 'unattributed') === (row.level !== 'unattributed') &&
        (filters.webinarId ?? row.webinarId) === row.webinarId &&
        (filters.interactionId ?? row.interactionId) === row.interactionId &&
        (filters.email?.toLowerCase() ?? row.email) === row.email,
    )
    .toSorted(
      (one, other) => other.occurredAt.getTime() - one.occurredAt.getTime() || (one.id < other.id ? 1 : -1),
    )
    .map(({ id }) => id);

const queryOf = (filters: object): string =>
  Object.entries(filters)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
    .join('&');

interface Reader {
  service: TestApi;
  key: string;
}

async function readPage({ service, key }: Reader, filters: object) {
  const answer = await callRest(service, `GET /revenue/events?${queryOf(filters)}`, { key });
  expect(answer.status, answer.text).toBe(200);
  const { data, pagination } = answer.json;
  return { ids: data.map(({ id }: { id: string }) => id) as string[], next: pagination.nextCursor };
}

async function readAll(reader: Reader, filters: object, limit: number): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await readPage(reader, { ...filters, limit, cursor });
    ids.push(...page.ids);
    if (page.next === null) return ids;
    cursor = page.next;
  }
}

/** A key of an account of its own, and its ledger. */
const test = base.extend('reader', async ({ service, account: { accountId } }) => {
  const { key } = await createTestKey(service, accountId);
  const insert = (rows: readonly LedgerRow[]) => insertLedgerRows(service.db, accountId, rows);
  return { service, key, accountId, insert };
});

test('every combination of filters lists exactly the matching events, the latest first, on pages of any size', async ({
  reader,
}) => {
  const rows = fc.sample(rowOf, 300);
  await reader.insert(rows);
  const foreign = await createTestAccount(reader.service);
  await insertLedgerRows(reader.service.db, foreign.accountId, fc.sample(rowOf, 20));
  await fc.assert(
    fc.asyncProperty(filtersOf, fc.integer({ min: 5, max: 100 }), async (filters, limit) => {
      expect(await readAll(reader, filters, limit)).toEqual(expectedIds(rows, filters));
    }),
    { numRuns: 60 },
  );
});

test('each filter alone lists exactly the matching events', async ({ reader }) => {
  const rows = fc.sample(rowOf, 200);
  await reader.insert(rows);
  const alone: Filters[] = [
    {},
    { from: secondAt(20).toISOString() },
    { to: secondAt(20).toISOString() },
    ...[...new Set(types)].map((type) => ({ type })),
    { source: 'stripe' },
    { source: 'paypal' },
    ...['paid', 'partially_refunded', 'refunded', 'charged_back'].map((state) => ({ state })),
    { attributed: true },
    { attributed: false },
    { webinarId: webinarIds[0]! },
    { webinarId: randomUUID() },
    { interactionId: interactionIds[1]! },
    { email: 'ADA@example.com' },
  ];
  for (const filters of alone)
    expect(await readAll(reader, filters, 33), JSON.stringify(filters)).toEqual(expectedIds(rows, filters));
});

test('a page that follows has neither a gap nor an event twice when events arrive in between', async ({
  reader,
}) => {
  const rows = Array.from({ length: 9 }, (_, second) => ledgerRow({ occurredAt: secondAt(second) }));
  await reader.insert(rows);
  const ids = expectedIds(rows, {});
  const first = await readPage(reader, { limit: 4 });
  expect(first.ids).toEqual(ids.slice(0, 4));

  // One that occurred last, one at the moment of the cursor, and a late report of an early purchase.
  const newest = ledgerRow({ occurredAt: secondAt(99) });
  const same = ledgerRow({ occurredAt: secondAt(5), id: createId() });
  const late = ledgerRow({ occurredAt: secondAt(2) });
  await reader.insert([newest, same, late]);
  const second = await readPage(reader, { limit: 100, cursor: first.next });
  expect(second.ids).toEqual(expectedIds([...rows, late], {}).slice(4));
});

test('a cursor works with its own filters and account, and is refused with others', async ({ reader }) => {
  const { service, key } = reader;
  const rows = [1, 2, 3].map((second) => ledgerRow({ occurredAt: secondAt(second) }));
  await reader.insert(rows);
  const { next } = await readPage(reader, { limit: 1, source: 'generic' });
  const call = (query: string, otherKey = key) =>
    callRest(service, `GET /revenue/events?limit=1&cursor=${next}&${query}`, { key: otherKey });
  expect((await call('source=generic')).json.data[0].id).toBe(rows[1]!.id);
  const other = await createTestKey(service, (await createTestAccount(service)).accountId);
  for (const answer of [await call('source=stripe'), await call(''), await call('source=generic', other.key)])
    expect([answer.status, answer.json.code]).toEqual([400, 'malformed_request']);
});

test('a search that finds little after 5,000 events ends with an empty page that has a next one', async ({
  reader,
}) => {
  const bought = ledgerRow({ provider: 'stripe', occurredAt: secondAt(0) });
  const refunds = Array.from({ length: 5200 }, (_, index) =>
    ledgerRow({ type: 'refund', provider: 'stripe', amountMinor: -1, occurredAt: secondAt(1 + index) }),
  );
  await reader.insert([bought, ...refunds]);
  const filters = { source: 'stripe', type: 'purchase' };
  const first = await readPage(reader, filters);
  expect(first.ids).toEqual([]);
  expect(first.next).not.toBeNull();
  expect(await readPage(reader, { ...filters, cursor: first.next })).toEqual({
    ids: [bought.id],
    next: null,
  });
});

test('refunds and chargebacks of a webinar or an offer are on the first page, behind any number of its purchases', async ({
  reader,
}) => {
  const credited = {
    level: 'offer_click',
    webinarId: webinarIds[0]!,
    interactionId: interactionIds[0]!,
    registrationId: randomUUID(),
  };
  const types = ['refund', 'chargeback', 'refund_reversal', 'chargeback_reversal'];
  const adjustments = types.map((type, index) =>
    ledgerRow({
      ...credited,
      type,
      amountMinor: type.endsWith('reversal') ? 1 : -1,
      occurredAt: secondAt(index),
    }),
  );
  const purchases = Array.from({ length: 5200 }, (_, index) =>
    ledgerRow({ ...credited, occurredAt: secondAt(10 + index) }),
  );
  await reader.insert([...adjustments, ...purchases]);
  for (const filter of [{ webinarId: webinarIds[0] }, { interactionId: interactionIds[0] }])
    for (const [index, type] of types.entries())
      expect(await readPage(reader, { ...filter, type }), type).toEqual({
        ids: [adjustments[index]!.id],
        next: null,
      });
});

const dayMs = 86_400_000;
const midnight = (daysFromToday: number): string =>
  new Date((Math.floor(Date.now() / dayMs) + daysFromToday) * dayMs).toISOString();

test.for([
  [
    'events',
    [
      'from=today',
      'to=2026',
      'type=sale',
      'state=open',
      'attributed=maybe',
      'webinarId=x',
      'interactionId=x',
      'source=%20',
    ],
  ],
  [
    'summary',
    [
      'from=2026-11-31',
      'from=yesterday',
      'to=2026-11-22T12:00:00',
      `from=${midnight(0)}&to=${midnight(0)}`,
      `from=${midnight(-401)}&to=${midnight(0)}`,
      'from=2025-01-02&to=2025-01-01',
      'from=2025-01-01&to=2026-02-05',
      'currency=euro',
      'by=year',
    ],
  ],
] as const)(
  'an invalid filter of %s is refused by name',
  async ([list, queries], { reader: { service, key } }) => {
    const call = (query: string) => callRest(service, `GET /revenue/${list}?${query}`, { key });
    for (const query of queries) {
      const answer = await call(query);
      expect(answer.status, query).toBe(422);
      expect(JSON.stringify(answer.json.issues), query).toContain(query.split('=')[0]);
    }
    expect((await call(`from=${midnight(-400)}&to=${midnight(0)}`)).status).toBe(200);
  },
);
