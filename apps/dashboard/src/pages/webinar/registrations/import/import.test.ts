import { expect, test, vi } from 'vitest';
import { toCsv } from '../../../../csv.ts';
import { RequestFailure } from '../../../../failure.ts';
import { importRows, type RowResult } from './import-rows.ts';
import {
  batchesOf,
  checkRows,
  decodeFile,
  guessMapping,
  problemOf,
  readTable,
  rowsMax,
  targetsOf,
  toRegistrant,
  type Registrant,
} from './import-values.ts';

const webinar = {
  registrationForm: {
    fields: [{ key: 'company', label: 'Your company', type: 'text', required: true, options: [] }],
    consentText: null,
    capacityPerSession: null,
  },
} as unknown as Parameters<typeof targetsOf>[0];

const options = (headings: readonly string[]) => ({
  mapping: guessMapping(headings, targetsOf(webinar)),
  sessionTime: '2026-12-01T18:00:00.000Z',
  suppressConfirmation: true,
});

test('a file with semicolons, quotes and the headings of a spreadsheet becomes registrations', () => {
  const text =
    'E-Mail;Full name;Company;UTM Source\r\n"ada@example.com";"Lovelace, ""Ada""";Analytical;google\r\n;;;\r\n';
  const { headings, rows } = readTable(text);
  expect(rows).toHaveLength(1);
  expect(toRegistrant(rows[0]!, options(headings))).toEqual({
    name: 'Lovelace, "Ada"',
    email: 'ada@example.com',
    sessionTime: '2026-12-01T18:00:00.000Z',
    suppressConfirmation: true,
    customFields: { company: 'Analytical' },
    utm: { source: 'google' },
  });
  expect(decodeFile(Uint8Array.of(0x4a, 0xf6, 0x72, 0x67).buffer)).toBe('Jörg');
});

test('a row keeps its place in a file with blank rows, and a file of the service its values', () => {
  const text = toCsv([
    ['email', 'name', 'phone'],
    [],
    ['a@example.com', '=1+1', '+4930'],
    [' '],
    ['b@example.com', "'t Hooft", ''],
    ['c@example.com', '\tAda', ''],
  ]);
  const { headings, rows } = readTable(text);
  expect(rows.map(({ line }) => line)).toEqual([3, 5, 6]);
  expect(rows.map((row) => toRegistrant(row, options(headings)))).toMatchObject([
    { name: '=1+1', phone: '+4930' },
    { name: "'t Hooft" },
    { name: '\tAda' },
  ]);
});

test('a row with problems says each of them before anything is sent', () => {
  const row = toRegistrant({ cells: ['not an address', ''] }, options(['email', 'name']));
  expect(problemOf(row, webinar)).toMatch(/name: .*email: .*customFields\.company: Required\./);
  const good = toRegistrant(
    { cells: ['ada@example.com', 'Ada', 'x'] },
    options(['email', 'name', 'company']),
  );
  expect(problemOf(good, webinar)).toBeUndefined();
  const again = { ...good, email: 'ADA@example.com' };
  expect(checkRows([good, row, again], webinar)).toEqual([
    undefined,
    problemOf(row, webinar),
    'An earlier row has this address.',
  ]);
});

test('a file without rows, or with too many, is refused with the reason', () => {
  expect(() => readTable('email,name\n')).toThrow('a line for each person');
  const lines = (count: number) => `email\n${'a@example.com\n\n'.repeat(count)}`;
  expect(() => readTable(lines(rowsMax + 1))).toThrow('more than 20,000 rows');
  expect(readTable(lines(rowsMax)).rows).toHaveLength(rowsMax);
});

test('a call has at most 200 rows and a bounded size', () => {
  const row = (metadata: string): Registrant => ({ name: metadata, email: 'ada@example.com' });
  expect(batchesOf(Array.from({ length: 450 }, () => row('Ada'))).map(({ length }) => length)).toEqual([
    200, 200, 50,
  ]);
  expect(
    batchesOf(Array.from({ length: 4 }, () => row('x'.repeat(149_000)))).map(({ length }) => length),
  ).toEqual([2, 2]);
});

const people = (count: number): Registrant[] =>
  Array.from({ length: count }, (_, index) => ({ name: 'Ada', email: `ada${index}@example.com` }));

const refused = (status: number, code: string) =>
  new RequestFailure({ code, status, message: code, requestId: undefined, issues: [], retryAfterSeconds: 1 });

test('an import waits while the workspace has too much to do, keeps the order of the rows, and ends when it is cancelled', async () => {
  const controller = new AbortController();
  const calls: number[] = [];
  const waits: number[] = [];
  let results: readonly RowResult[] = [];
  const parts = {
    send: async (batch: Registrant[]) => {
      calls.push(batch.length);
      if (calls.length === 2) throw refused(429, 'bulk_in_progress');
      return batch.map(({ email }) =>
        email === 'ada1@example.com'
          ? {
              status: 'error' as const,
              error: { message: 'Refused.', issues: [{ path: 'name', message: 'Bad.' }] },
            }
          : { status: 'created' as const },
      );
    },
    onProgress: (now: readonly RowResult[]) => {
      results = now;
      if (now.length === 400) controller.abort();
    },
    wait: async (seconds: number) => void waits.push(seconds),
    signal: controller.signal,
    timeMs: undefined,
  };
  expect(await importRows(people(1000), parts)).toBe('stopped');
  expect(calls).toEqual([200, 200, 200]);
  expect(waits).toEqual([1]);
  expect(results).toHaveLength(400);
  expect(results[1]).toEqual({ status: 'error', message: 'Refused. name: Bad.' });
});

test('an import whose time is over begins no further call, also not a repeated one', async () => {
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => (expect(ms).toBe(1000), over.signal));
  const over = new AbortController();
  let calls = 0;
  const send = () => {
    calls += 1;
    over.abort();
    return Promise.reject(refused(503, 'unavailable'));
  };
  const end = await importRows(people(300), {
    send,
    onProgress: () => undefined,
    wait: async () => undefined,
    signal: new AbortController().signal,
    timeMs: 1000,
  });
  expect(end).toBe('time over');
  expect(calls).toBe(1);
});

test('an import ends with the reason when the webinar takes no registrations', async () => {
  const send = () => Promise.reject(refused(409, 'webinar_not_published'));
  const parts = {
    send,
    onProgress: () => undefined,
    wait: async () => undefined,
    signal: new AbortController().signal,
    timeMs: undefined,
  };
  await expect(importRows(people(1), parts)).rejects.toThrow();
});
