// The doors for revenue events, with bodies and signatures that are right, wrong and nearly right. SEED=n tries others, FUZZ_SCALE=n more.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTestAccount } from '../support/api.ts';
import type { TestDatabase } from '../support/database.ts';
import { openShop } from '../support/shop.ts';
import { leakIn, parseJson, requestsFor, seed, startManyAddressApi, timeoutFor } from './judge.ts';
import { bytesMax } from './revenue-bodies.ts';
import { encode, revenueRequests, type RevenueRequest } from './revenue-requests.ts';
import { signatureOf } from './revenue-signatures.ts';
import { judgeGeneric, judgeStripe, type ExpectedRow, type Judgement } from './revenue-validator.ts';
import { runRequests } from './run-requests.ts';
import { createSender, type Sent } from './send.ts';

const count = requestsFor(2500);
const concurrency = 16;
const absent = '0193e3a0-0000-7000-8000-000000000000';

interface StoredRow extends ExpectedRow {
  accountId: string;
  provider: string;
}

const keyOf = (
  accountId: string,
  provider: string,
  row: Pick<ExpectedRow, 'type' | 'eventId'> | undefined,
): string => `${accountId} ${provider} ${row?.type} ${row?.eventId}`;

test(
  `${count} revenue events, signed and unsigned, are answered with a known status, and only valid ones are stored`,
  { timeout: timeoutFor(count) },
  async () => {
    console.log(`Fuzzing with SEED=${seed}`);
    await using service = await startManyAddressApi();
    const accounts = [await createTestAccount(service), await createTestAccount(service)] as const;
    const shops = await Promise.all(accounts.map((account) => openShop(service, account)));
    const requests = fc.sample(revenueRequests, { seed, numRuns: count });
    const stored = new Map<string, ExpectedRow>();
    const repeated = new Set<string>();
    const refusals = new Set<string>();

    const targetOf = ({ path, caller }: RevenueRequest): number | undefined =>
      path.includes('{own}') ? caller : path.includes('{other}') ? 1 - caller : undefined;
    const pathOf = ({ path, caller }: RevenueRequest): string =>
      path
        .replace('{own}', accounts[caller]!.accountId)
        .replace('{other}', accounts[1 - caller]!.accountId)
        .replace('{absent}', absent);
    const secretsOf = ({ caller, door }: RevenueRequest) => ({
      own: shops[caller]!.secrets[door],
      other: shops[1 - caller]!.secrets[door],
    });

    /** The statuses that a request may get. */
    const statusesFor = (request: RevenueRequest): number[] => {
      const { method, path, door, caller, encoding, body } = request;
      if (method !== 'POST') return method === 'OPTIONS' ? [200, 204, 400, 404, 405] : [400, 404, 405];
      const [, pathDoor] = /^\/api\/webhooks\/revenue\/[^/]+\/(generic|stripe)$/.exec(path) ?? [];
      if (pathDoor === undefined || path.includes('%zz')) return [400, 404];
      if (encoding === 'gzip' || encoding === 'unknown') return [415];
      if (body.length > bytesMax) return [413];
      const { signer, isValid } = signatureOf(request.signature, { door, body, ...secretsOf(request) });
      const signedBy = signer === 'own' ? caller : 1 - caller;
      if (isValid === false || pathDoor !== door || signedBy !== targetOf(request)) return [401];
      const answers = door === 'stripe' ? [200] : answersOf[judgeGeneric(body).verdict];
      return isValid === undefined ? [401, ...answers] : answers;
    };

    /** Remembers what an answer says was stored. */
    const note = (request: RevenueRequest, { status, text }: Sent): string[] => {
      const outcome = (parseJson(text) as { status?: string } | undefined)?.status;
      const isStored = status === 202 || (request.door === 'stripe' && outcome === 'stored');
      const judged = judgementOf(request);
      const row = 'row' in judged ? judged.row : undefined;
      const key = keyOf(accounts[targetOf(request) ?? 0]!.accountId, request.door, row);
      if (!isStored) {
        if ((outcome === 'duplicate' || outcome === 'conflict') && request.door === 'generic')
          repeated.add(key);
        // Any signed event of Stripe is answered 200, so the status alone does not show that a valid one was left out.
        const isLeftOut = outcome === 'ignored' || outcome === 'not_understood';
        return isLeftOut && judged.verdict === 'valid' ? [`valid, but ${outcome}`] : [];
      }
      if (!row) return ['stored, although it is not valid'];
      if (stored.has(key)) return ['stored twice'];
      stored.set(key, row);
      return [];
    };

    const sender = createSender(service.baseUrl, concurrency);
    const { findings, statuses } = await runRequests({
      requests,
      concurrency,
      send(request) {
        const { door, body, encoding, mediaType, address, method, chunked } = request;
        const { headers } = signatureOf(request.signature, { door, body, ...secretsOf(request) });
        return sender.send({
          method,
          target: pathOf(request),
          headers: [
            'X-Forwarded-For',
            address,
            ...(mediaType === undefined ? [] : ['Content-Type', mediaType]),
            ...(encoding === 'none' ? [] : ['Content-Encoding', encoding === 'unknown' ? 'cow' : encoding]),
            ...headers,
          ],
          body: ['GET', 'HEAD', 'TRACE'].includes(method) ? undefined : encode(body, encoding),
          chunked,
        });
      },
      judge(request, sent) {
        const { status, text, headers } = sent;
        if (status === 401) refusals.add(seenOf(sent));
        const expected = statusesFor(request);
        const isShaped =
          status < 400 || request.method === 'HEAD' || typeof parseJson(text) === 'object' || text === '';
        return [
          ...(expected.includes(status) ? [] : [`status ${status} instead of ${expected.join(' or ')}`]),
          ...leakIn(text),
          ...(isShaped ? [] : ['not JSON']),
          ...(status === 405 && headers.get('allow') === null && request.method !== 'OPTIONS'
            ? ['no Allow']
            : []),
          ...note(request, sent),
        ];
      },
      describe: (request) => {
        const { method, signature, body, encoding, door } = request;
        return `${method} ${pathOf(request).slice(0, 200)} ${door} ${signature} ${encoding} ${body.length} ${body.toString().slice(0, 1200)}`;
      },
    });
    sender.close();

    for (const status of [200, 202, 400, 401, 404, 405, 413, 415, 422]) expect(statuses).toContain(status);
    expect(findings.slice(0, 10)).toEqual([]);
    expect([...refusals]).toHaveLength(1);
    expect([...repeated].filter((key) => !stored.has(key))).toEqual([]);

    const rows = await readLedger(service.db);
    expect(rows.length).toBeGreaterThan(count / 8);
    const wrong = rows.filter((row) => {
      const expected = stored.get(keyOf(row.accountId, row.provider, row));
      return !expected || !isSame(row, expected);
    });
    expect(wrong.slice(0, 5)).toEqual([]);
    expect(rows.length).toBe(stored.size);
  },
);

const answersOf = { valid: [200, 202], open: [200, 202, 400, 422], invalid: [400, 422] };

const judgementOf = ({ door, body }: RevenueRequest): Judgement =>
  door === 'stripe' ? judgeStripe(body) : judgeGeneric(body);

/** Everything of an answer that must not differ. Each answer has a request id and a date of its own. */
const seenOf = ({ status, headers, text }: Sent): string =>
  JSON.stringify([
    status,
    [...headers].filter(([name]) => !['date', 'x-request-id', 'connection', 'keep-alive'].includes(name)),
    text.replace(/"requestId":"[^"]*"/, ''),
  ]);

async function readLedger({ database }: TestDatabase): Promise<StoredRow[]> {
  const { rows } = await database.pool.query<StoredRow>(`
    select account_id as "accountId", provider, event_id as "eventId", object_id as "objectId", type, email,
      amount_minor::text as amount, currency, (extract(epoch from occurred_at) * 1000)::float8 as "occurredAtMs"
    from revenue.revenue_event where type <> 'purchase_reversal' and event_id not like 'corrected:%'`);
  return rows;
}

const isSame = (row: StoredRow, expected: ExpectedRow): boolean =>
  (['eventId', 'objectId', 'type', 'amount', 'currency', 'occurredAtMs'] as const).every(
    (name) => row[name] === expected[name],
  ) &&
  (expected.email === undefined || row.email === expected.email);

// The reading that judges the ledger has tests of its own, so that a mistake in it does not pass as one of the service.

const payload = {
  event_id: 'order_1',
  type: 'purchase',
  email: ' Ada1@Example.com',
  amount_minor: 7900,
  currency: 'eur',
  original_transaction_id: null,
  timestamp: '2025-03-01T10:00:00+02:00',
};
const written = JSON.stringify(payload);
const verdictOf = (body: string | Buffer): string => judgeGeneric(Buffer.from(body)).verdict;

test('a payload of the specification is valid, and its row has the words of the ledger', () => {
  expect(judgeGeneric(Buffer.from(written))).toEqual({
    verdict: 'valid',
    row: {
      eventId: 'order_1',
      objectId: 'order_1',
      type: 'purchase',
      email: 'ada1@example.com',
      amount: '7900',
      currency: 'EUR',
      occurredAtMs: Date.UTC(2025, 2, 1, 8),
    },
  });
});

test.each([
  ['negative zero', written.replace('7900', '-0')],
  ['a fraction', written.replace('7900', '7900.0')],
  ['an exponent', written.replace('7900', '79e2')],
  ['a number beyond 53 bits', written.replace('7900', '9007199254740993')],
  ['thirteen digits', written.replace('7900', '1000000000000')],
  ['the wrong sign', written.replace('7900', '-7900')],
  ['a name twice', written.replace('{', '{"event_id":"order_2",')],
  ['a name twice, once with an escape', written.replace('{', String.raw`{"\u0065vent_id":"order_2",`)],
  ['a name twice further inside', written.replace('{', '{"note":{"a":1,"a":2},')],
  ['deep nesting', written.replace('{', `{"note":${'['.repeat(20)}${']'.repeat(20)},`)],
  ['half a surrogate pair', written.replace('order_1', String.raw`\ud800`)],
  ['NUL', written.replace('order_1', String.raw`a\u0000`)],
  ['a byte order mark', `\ufeff${written}`],
  ['another encoding', Buffer.from(written, 'utf16le')],
  ['bytes that are no UTF-8', Buffer.from(written.replace('order_1', 'é'), 'latin1')],
  ['a time without an offset', written.replace('+02:00', '')],
  ['a time before 2000', written.replace('2025', '1999')],
  ['an unknown currency', written.replace('eur', 'zzz')],
  ['an array', `[${written}]`],
])('%s is invalid', (_what, body) => {
  expect(verdictOf(body)).toBe('invalid');
});

test('unknown fields, another order and white space are valid', () => {
  expect(verdictOf(written.replace('{', '{ "note" : [ 1.5, {"a":-0} ] ,\n'))).toBe('valid');
});

test('an unpaid session of Stripe, an inquiry and a dispute whose status is no text give no row', () => {
  const event = (type: string, object: object): Buffer =>
    Buffer.from(
      JSON.stringify({ id: 'evt_1', type, created: 1_700_000_000, data: { object: { id: 'x', ...object } } }),
    );
  const rowOf = (judged: Judgement) => ('row' in judged ? judged.row : undefined);
  const paid = { payment_status: 'paid', amount_total: 5, currency: 'eur' };
  expect(rowOf(judgeStripe(event('checkout.session.completed', paid)))).toMatchObject({
    type: 'purchase',
    amount: '5',
  });
  const unpaid = { ...paid, payment_status: 'unpaid' };
  expect(rowOf(judgeStripe(event('checkout.session.completed', unpaid)))).toBeUndefined();
  const inquiry = { amount: 5, currency: 'eur', created: 1_700_000_000, status: 'warning_needs_response' };
  const dispute = { ...inquiry, status: 'needs_response' };
  expect(rowOf(judgeStripe(event('charge.dispute.created', dispute)))).toMatchObject({ type: 'chargeback' });
  const lost = { ...dispute, status: 'lost' };
  expect(rowOf(judgeStripe(event('charge.dispute.closed', lost)))).toMatchObject({ type: 'chargeback' });
  for (const unlike of [inquiry, { ...inquiry, status: 0 }])
    expect(rowOf(judgeStripe(event('charge.dispute.created', unlike)))).toBeUndefined();
});
