import { randomUUID } from 'node:crypto';
import { createId } from '@service/database';
import { expect, test } from 'vitest';
import { activityWorld, createKey, minutesAgo, now, type CallFields } from './activity-world.ts';

const day = 24 * 60;
const ranges = {
  last_hour: 60,
  last_24_hours: day,
  last_7_days: 7 * day,
  last_30_days: 30 * day,
  last_90_days: 90 * day,
};
type Range = keyof typeof ranges;
type Filter = Partial<{
  range: Range;
  from: string;
  to: string;
  surface: 'rest' | 'mcp';
  keyId: string;
  status: 'success' | 'failure';
  requestId: string;
  errorCode: string;
}>;

const often = createKey('Often');
const seldom = createKey('Seldom');

/** Two codes take turns. */
const codeOf = (index: number): string => (index % 2 === 0 ? 'validation_failed' : 'slot_not_offered');

/** Calls with a rhythm: dense lately, thin long ago, and now and then a failure, an MCP call, the other key. */
const calls: (CallFields & { requestId: string })[] = Array.from({ length: 400 }, (_, index) => ({
  at: minutesAgo(0.4 + (91 * day * index ** 4) / 400 ** 4 + index / 7),
  key: index % 97 === 50 ? seldom : often,
  surface: index % 5 === 2 ? ('mcp' as const) : ('rest' as const),
  status: index % 31 === 12 ? 422 : 200,
  refusal: index % 31 === 12 ? { code: codeOf(index), fields: [], messages: [] } : undefined,
  requestId: `request-${index}`,
}));

const fits =
  ({ range = 'last_24_hours', from, to, ...wanted }: Filter) =>
  ({ at, key, surface, status, requestId, refusal }: (typeof calls)[number]): boolean =>
    at >= (from ? new Date(from) : minutesAgo(ranges[range])) &&
    (to === undefined || at < new Date(to)) &&
    (wanted.surface ?? surface) === surface &&
    (wanted.keyId ?? key.id) === key.id &&
    (wanted.status ?? (status! < 400 ? 'success' : 'failure')) === (status! < 400 ? 'success' : 'failure') &&
    (wanted.requestId ?? requestId) === requestId &&
    (wanted.errorCode ?? refusal?.code) === refusal?.code;

const choices = <Value>(...values: Value[]) => [undefined, ...values];

const filters: Filter[] = (Object.keys(ranges) as Range[]).flatMap((range) =>
  choices('rest' as const, 'mcp' as const).flatMap((surface) =>
    choices(often.id, seldom.id).flatMap((keyId) =>
      choices('success' as const, 'failure' as const).map((status) => ({ range, surface, keyId, status })),
    ),
  ),
);

const narrowed: Filter[] = [
  { from: minutesAgo(200).toISOString(), to: minutesAgo(95).toISOString() },
  { from: minutesAgo(30 * day).toISOString(), to: minutesAgo(3 * day).toISOString(), status: 'failure' },
  { from: minutesAgo(50).toISOString(), to: minutesAgo(41).toISOString(), surface: 'rest' },
  { from: minutesAgo(2 * day).toISOString(), keyId: seldom.id },
  { range: 'last_90_days', requestId: 'request-180' },
  { range: 'last_24_hours', requestId: calls.at(-60)!.requestId },
  { range: 'last_90_days', requestId: 'request-180', status: 'failure' },
  { errorCode: 'validation_failed' },
  { range: 'last_90_days', errorCode: 'slot_not_offered' },
  { range: 'last_90_days', errorCode: 'validation_failed', surface: 'mcp', keyId: often.id },
  { range: 'last_90_days', errorCode: 'not_found' },
];

test('every combination of filters lists exactly the calls it names, newest first, page by page', async () => {
  await using world = await activityWorld();
  await world.record(calls);
  for (const filter of [...filters, ...narrowed]) {
    const listed: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await world.dashboard.list({ ...filter, limit: 17, ...(cursor && { cursor }) });
      listed.push(...page.data.map(({ requestId }) => requestId));
      expect(page.pagination.hasMore).toBe(page.pagination.nextCursor !== null);
      cursor = page.pagination.nextCursor ?? undefined;
    } while (cursor);
    expect({ filter, listed }).toEqual({
      filter,
      listed: calls.filter(fits(filter)).map(({ requestId }) => requestId),
    });
  }
});

test('the histogram counts exactly the calls the list gives, each in its bar, in about a hundred bars without gaps at most', async () => {
  await using world = await activityWorld();
  await world.record(calls);
  for (const filter of [...filters, ...narrowed]) {
    const { seconds, bars } = (await world.dashboard.histogram({ ...filter, utcOffsetMinutes: 345 })).data;
    expect(bars.length).toBeLessThanOrEqual(101);
    const width = seconds * 1000;
    const starts = bars.map(({ from }) => Date.parse(from));
    expect(starts).toEqual(starts.map((_, index) => starts[0]! + index * width));
    // Bars of hours and days begin where they do in Kathmandu.
    if (seconds >= 3600) expect((starts[0]! + 345 * 60_000) % width).toBe(0);
    const wanted = calls.filter(fits(filter));
    const inBar = (start: number, isFailure: boolean) =>
      wanted.filter(
        ({ at, status }) =>
          at.getTime() >= start && at.getTime() < start + width && status! >= 400 === isFailure,
      ).length;
    expect({ filter, bars }).toEqual({
      filter,
      bars: bars.map(({ from }) => ({
        from,
        success: inBar(Date.parse(from), false),
        failure: inBar(Date.parse(from), true),
      })),
    });
    expect(bars.reduce((sum, { success, failure }) => sum + success + failure, 0)).toBe(wanted.length);
  }
});

test('calls of a process whose clock is ahead are listed', async () => {
  await using world = await activityWorld();
  await world.record([{ at: minutesAgo(-20), key: often, requestId: 'ahead' }]);
  expect((await world.dashboard.list({ range: 'last_hour' })).data).toHaveLength(1);
  const { bars } = (await world.dashboard.histogram({ range: 'last_hour' })).data;
  expect(bars.at(-1)).toMatchObject({ success: 1 });
});

test('a row has the call, its result and its key', async () => {
  await using world = await activityWorld();
  const at = minutesAgo(3);
  const sender = { userAgent: 'curl/8.9', address: '192.0.2.7', idempotencyKey: 'order-1' };
  const refusal = {
    code: 'validation_failed',
    fields: ['email', 'utm.source'],
    messages: ['Must not be blank.', 'Must not be blank.'],
  };
  await world.record([
    { at, key: often, requestId: 'over-rest', status: 422, refusal, sender },
    { at: minutesAgo(4), key: seldom, surface: 'mcp', requestId: 'over-mcp' },
  ]);
  const { data } = await world.dashboard.list({});
  expect(data).toEqual([
    {
      id: expect.any(String),
      surface: 'rest',
      at: at.toISOString(),
      status: 422,
      method: 'GET',
      path: '/api/v1/webinars',
      tool: null,
      replayed: false,
      keyId: often.id,
      keyLabel: 'Often',
      durationMs: 3,
      requestId: 'over-rest',
      errorCode: 'validation_failed',
      refusedFields: ['email', 'utm.source'],
      refusedMessages: ['Must not be blank.', 'Must not be blank.'],
      ...sender,
    },
    expect.objectContaining({
      surface: 'mcp',
      method: null,
      path: null,
      tool: 'list_webinars',
      keyLabel: 'Seldom',
      errorCode: null,
      refusedFields: [],
      refusedMessages: [],
      userAgent: null,
      address: null,
      idempotencyKey: null,
    }),
  ]);
});

test('long texts of a caller are cut, and texts that Postgres refuses are changed, so that a call is never lost', async () => {
  await using world = await activityWorld();
  const long = 'x'.repeat(10_000);
  await world.record([
    {
      at: minutesAgo(3),
      key: often,
      status: 422,
      refusal: {
        code: 'validation_failed',
        fields: ['nul\0', 'half\uD800', long, ...Array.from({ length: 50 }, (_, index) => `field${index}`)],
        messages: Array.from({ length: 53 }, () => `nul\0 ${long}`),
      },
      sender: { userAgent: long, address: long, idempotencyKey: long },
    },
    // Over MCP the idempotency key is a text in JSON.
    { at: minutesAgo(4), key: often, sender: { idempotencyKey: 'nul\0half\uD800' } },
  ]);
  const [call, odd] = (await world.dashboard.list({})).data;
  expect(odd!.idempotencyKey).toBe('nul\uFFFDhalf\uFFFD');
  expect(call!.refusedFields.slice(0, 3)).toEqual(['nul\uFFFD', 'half\uFFFD', 'x'.repeat(100)]);
  expect(call!.refusedFields).toHaveLength(20);
  expect([call!.userAgent, call!.address, call!.idempotencyKey].map((text) => text!.length)).toEqual([
    200, 60, 255,
  ]);
});

test('one account sees nothing of another: no calls, no bars, no keys', async () => {
  await using world = await activityWorld();
  await world.record([{ at: minutesAgo(3), key: often, requestId: 'theirs' }], randomUUID());
  expect((await world.dashboard.list({})).data).toEqual([]);
  expect((await world.dashboard.list({ requestId: 'theirs' })).data).toEqual([]);
  expect((await world.dashboard.list({ keyId: often.id })).data).toEqual([]);
  const { bars } = (await world.dashboard.histogram({})).data;
  expect(bars.every(({ success, failure }) => success + failure === 0)).toBe(true);
  expect((await world.dashboard.keys()).data).toEqual([]);
});

test('each key and each grant that has called is listed once, by label, with its kind', async () => {
  await using world = await activityWorld();
  await world.record(
    ['Zapier', 'CRM', 'Zapier', 'Claude'].flatMap((label, index) => {
      const key = { ...createKey(label), ...(label === 'Claude' && { kind: 'grant' as const }) };
      return [0, 1, 2].map((calls) => ({ at: minutesAgo(index + calls * 40), key }));
    }),
  );
  const { data } = await world.dashboard.keys();
  expect(data.map(({ label, kind }) => [label, kind])).toEqual([
    ['Claude', 'grant'],
    ['CRM', 'key'],
    ['Zapier', 'key'],
    ['Zapier', 'key'],
  ]);
  expect(new Set(data.map(({ id }) => id)).size).toBe(4);
});

test('a cursor of another filter and an end before its beginning are refused', async () => {
  await using world = await activityWorld();
  await world.record([1, 2].map((minutes) => ({ at: minutesAgo(minutes), key: often })));
  const { nextCursor } = (await world.dashboard.list({ limit: 1 })).pagination;
  await expect(world.dashboard.list({ limit: 1, status: 'failure', cursor: nextCursor! })).rejects.toThrow();
  const [from, to] = [now.toISOString(), minutesAgo(5).toISOString()];
  await expect(world.dashboard.list({ from, to })).rejects.toThrow(/from/);
  await expect(world.dashboard.histogram({ from, to })).rejects.toThrow(/from/);
});

test('calls of the same millisecond are listed once each, page by page', async () => {
  await using world = await activityWorld();
  const requestIds = ['a', 'b', 'c', 'd', 'e'];
  await world.record(requestIds.map((requestId) => ({ at: minutesAgo(3), key: often, requestId })));
  const first = await world.dashboard.list({ limit: 2 });
  const second = await world.dashboard.list({ limit: 3, cursor: first.pagination.nextCursor! });
  expect([...first.data, ...second.data].map(({ requestId }) => requestId).toSorted()).toEqual(requestIds);
});

test('a request id that a caller sends with every call lists its newest calls', async () => {
  await using world = await activityWorld();
  await world.record(
    Array.from({ length: 30 }, (_, index) => ({ at: minutesAgo(index), key: often, requestId: 'same' })),
  );
  const { data, pagination } = await world.dashboard.list({ requestId: 'same', limit: 10 });
  expect(data.map(({ at }) => at)).toEqual(
    Array.from({ length: 10 }, (_, index) => minutesAgo(index).toISOString()),
  );
  expect(pagination.hasMore).toBe(true);
  expect((await world.dashboard.list({ requestId: createId() })).data).toEqual([]);
});
