import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { createLog } from '@service/log';
import { expect, test } from 'vitest';
import { createTestAccount, createTestWorld, testApi, type TestApi } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { signInMember } from '../support/member.ts';
import { insertLedgerRows, ledgerRow } from './ledger-rows.ts';

const path = '/api/revenue/export.csv';

async function openExports(options: Parameters<typeof testApi>[0] = {}) {
  const service = await testApi(options);
  const world = await createTestWorld(service);
  const { cookie } = await signInMember(service, world);
  const download = (query = '', init: RequestInit = {}) =>
    fetch(`${service.baseUrl}${path}?workspace=${world.accountId}${query}`, { headers: { cookie }, ...init });
  return { service, ...world, cookie, download, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() };
}

/** Reads RFC 4180. */
function parseCsv(text: string): Record<string, string>[] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    rows.at(-1)!.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    if (end === '\r\n') rows.push([]);
  }
  const [heading, ...cells] = rows.filter((row) => row.length > 1);
  return cells.map((row) => Object.fromEntries(heading!.map((name, index) => [name, row[index]!])));
}

const secondAt = (second: number): Date => new Date(Date.UTC(2026, 5, 1) + second * 1000);

test('the file has every matching event once, the latest first, with formulas and separators made harmless', async () => {
  await using exports = await openExports();
  const { service, accountId, webinar, download } = exports;
  await service.db.database.pool.query('update webinars.webinar set title = $2 where id = $1', [
    webinar.id,
    '=HYPERLINK("http://evil.example","a")',
  ]);
  const rows = Array.from({ length: 1200 }, (_, index) => ledgerRow({ occurredAt: secondAt(index) }));
  const special = [
    ledgerRow({
      occurredAt: secondAt(5000),
      email: '+ada@example.com',
      level: 'attended',
      webinarId: webinar.id,
    }),
    ledgerRow({
      occurredAt: secondAt(4000),
      type: 'refund',
      amountMinor: -1250,
      currency: 'KWD',
      email: '-x,"y"@z',
    }),
    ledgerRow({ occurredAt: secondAt(3000), amountMinor: 1250, currency: 'JPY' }),
  ];
  await insertLedgerRows(service.db, accountId, [...rows, ...special]);
  const foreign = await createTestAccount(service);
  await insertLedgerRows(service.db, foreign.accountId, [ledgerRow()]);

  const answer = await download();
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(answer.headers.get('content-disposition')).toMatch(
    /^attachment; filename="revenue-[\d-]{10}\.csv"$/,
  );
  const bytes = Buffer.from(await answer.arrayBuffer());
  // A spreadsheet reads the file as UTF-8 because of it.
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  const lines = parseCsv(bytes.toString('utf8').slice(1));
  expect(lines.map(({ id }) => id)).toEqual([...special, ...rows.toReversed()].map(({ id }) => id));
  expect(lines[0]).toMatchObject({
    email: "'+ada@example.com",
    webinar: `'=HYPERLINK("http://evil.example","a")`,
    amount: '10.00',
    amount_minor: '1000',
  });
  expect(lines[1]).toMatchObject({
    type: 'refund',
    email: `'-x,"y"@z`,
    amount: '-1.250',
    amount_minor: '-1250',
  });
  expect(lines[2]).toMatchObject({ amount: '1250', currency: 'JPY' });

  const filtered = parseCsv((await (await download('&type=refund&attributed=false')).text()).slice(1));
  expect(filtered.map(({ id }) => id)).toEqual([special[1]!.id]);
});

test('only members of the workspace get the file, and only by GET', async () => {
  await using exports = await openExports();
  const { service, cookie, accountId, download } = exports;
  const other = await createTestAccount(service);
  const withoutSession = await fetch(`${service.baseUrl}${path}?workspace=${accountId}`);
  const foreign = await fetch(`${service.baseUrl}${path}?workspace=${other.accountId}`, {
    headers: { cookie },
  });
  for (const refused of [withoutSession, foreign]) {
    expect(refused.status).toBe(401);
    expect(((await refused.json()) as { code: string }).code).toBe('sign_in_required');
  }
  for (const method of ['POST', 'HEAD']) {
    const refused = await download('', { method, headers: { cookie } });
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET']);
  }
  for (const query of ['&type=sale', '&attributed=1', '&limit=5', '&type=refund&type=refund'])
    expect((await download(query)).status, query).toBe(422);
});

/** Starts a download and reads nothing but its head. */
async function hang({ service, cookie, accountId }: { service: TestApi; cookie: string; accountId: string }) {
  const request = get(`${service.baseUrl}${path}?workspace=${accountId}`, {
    headers: { cookie },
    agent: false,
  });
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  answer.on('error', () => undefined);
  return { status: answer.statusCode, close: () => void request.destroy() };
}

/** More than the buffers of a connection take. */
const fillMany = `
  with e as (
    insert into revenue.revenue_event (account_id, id, provider, event_id, object_id, type, email, amount_minor, currency,
      occurred_at, received_at, payment_keys)
    select $1, gen_random_uuid(), 'generic', n, n, 'refund', repeat('x', 300), -1, 'EUR', now(), now(), '{}'
    from generate_series(1, 40000) n
    returning id
  )
  insert into revenue.credit (account_id, id, pairing, buyer_email, level, reason, occurred_at)
  select $1, id, 'unpaired', repeat('x', 300), 'unattributed', 'unpaired', now() from e`;

test('a workspace has two exports at once, an abandoned one gives its place back, and none keeps a stopping server waiting', async () => {
  await using exports = await openExports();
  const { service, accountId } = exports;
  await service.db.database.pool.query(fillMany, [accountId]);
  const first = await hang(exports);
  const second = await hang(exports);
  expect([first.status, second.status]).toEqual([200, 200]);
  const third = await exports.download();
  expect([third.status, third.headers.get('retry-after')]).toEqual([429, '5']);
  expect(((await third.json()) as { code: string }).code).toBe('export_in_progress');

  const neighbour = await createTestAccount(service);
  const { cookie } = await signInMember(service, neighbour);
  const theirs = await fetch(`${service.baseUrl}${path}?workspace=${neighbour.accountId}`, {
    headers: { cookie },
  });
  expect(theirs.status).toBe(200);

  first.close();
  const next = await eventually('a place for another export', async () => {
    const answer = await hang(exports);
    if (answer.status !== 200) answer.close();
    return answer.status === 200 && answer;
  });
  next.close();
  // The second one is still open: the server ends it when it stops.
});

test('an export that ends because the server stops is no failure in the log', async () => {
  const lines: string[] = [];
  const log = createLog('test', { level: 'warn', destination: { write: (line) => void lines.push(line) } });
  {
    await using exports = await openExports({ log });
    const { service, accountId } = exports;
    await service.db.database.pool.query(fillMany, [accountId]);
    expect((await hang(exports)).status).toBe(200);
  }
  expect(lines.filter((line) => line.includes('export'))).toEqual([]);
});
