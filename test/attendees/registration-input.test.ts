import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestWorld, testApi, type TestApi, type TestWorld } from '../support/api.ts';
import { countRows, register, registerMany } from './registrations.ts';

let service: TestApi;
let world: TestWorld;

beforeAll(async () => {
  service = await testApi();
  world = await createTestWorld(service);
});
afterAll(() => service[Symbol.asyncDispose]());

const manyKeys = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, '']));

/** Fields of a body, and the paths of their problems. */
const refusals: [fields: object, paths: string[]][] = [
  [
    {
      name: ' ',
      email: 'ada',
      sessionTime: 'soon',
      phone: '',
      timezone: '+02:00',
      locale: 'not a locale',
      customFields: { 'a b': 'x', ok: 1 },
      utm: { source: '', colour: 'red' },
      referrer: 5,
      metadata: { a: { b: 'c' }, n: 1 },
      colour: 'red',
    },
    [
      'colour',
      'customFields.a b',
      'customFields.ok',
      'email',
      'locale',
      'metadata.a',
      'metadata.n',
      'name',
      'phone',
      'referrer',
      'sessionTime',
      'timezone',
      'utm.colour',
      'utm.source',
    ],
  ],
  [{ sessionTime: undefined }, ['sessionTime']],
  [
    { sessionTime: undefined, utm: { source: 'a' }, utm_medium: 'b', utm_term: null },
    ['sessionTime', 'utm_medium', 'utm_term'],
  ],
  [{ name: 'x'.repeat(201), email: `${'x'.repeat(250)}@example.com` }, ['email', 'name']],
  [{ customFields: manyKeys(31), metadata: manyKeys(21) }, ['customFields', 'metadata']],
  [{ customFields: { ['k'.repeat(51)]: '' } }, [`customFields.${'k'.repeat(51)}`]],
  [
    { customFields: { a: 'x'.repeat(1001) }, metadata: { a: 'x'.repeat(501), '': 'x' } },
    ['customFields.a', 'metadata.', 'metadata.a'],
  ],
  [
    { customFields: { a: '\0' }, metadata: { a: '\0', 'b\0': 'x' }, name: 'a\0b', utm_source: 'a\0b' },
    ['customFields.a', 'metadata.a', 'metadata.b\0', 'name', 'utm_source'],
  ],
  [
    {
      customFields: { a: '\ud800' },
      metadata: { a: '\udc00', '\ud800': 'x' },
      name: 'a\ud800',
      referrer: '\ud800',
    },
    ['customFields.a', 'metadata.a', 'metadata.\ud800', 'name', 'referrer'],
  ],
  [{ customFields: null, metadata: [], utm: 'mail' }, ['customFields', 'metadata', 'utm']],
];

const pathsOf = (issues: readonly { path: string }[]) => issues.map(({ path }) => path).toSorted();

test('all problems of a registration are reported at once', async () => {
  for (const [fields, paths] of refusals) {
    const answer = await register(world, fields);
    expect([answer.status, answer.json.code], JSON.stringify(fields)).toEqual([422, 'validation_failed']);
    expect(pathsOf(answer.json.issues)).toEqual(paths);
  }
  expect(await countRows(service, world, 'attendees.registration')).toBe(0);
});

test('a field that is missing is required, also beside one of the wrong type', async () => {
  const answer = await register(world, { name: undefined, email: undefined, referrer: 5 });
  expect(answer.json.issues).toEqual([
    { path: 'name', message: 'Required.' },
    { path: 'email', message: 'Required.' },
    { path: 'referrer', message: 'Invalid input: expected string, received number' },
  ]);
});

test('a row of a batch is refused for the same problems as a single registration', async () => {
  const rows = refusals.map(([fields]) => ({ email: 'ada@example.com', ...fields }));
  const { status, json } = await registerMany(world, rows);
  expect(status).toBe(200);
  expect(
    json.data.map((row: { error: { issues: { path: string }[] } }) => pathsOf(row.error.issues)),
  ).toEqual(refusals.map(([, paths]) => paths));
  expect(json.summary).toEqual({ created: 0, existing: 0, failed: refusals.length });
});
