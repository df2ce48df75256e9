// Judges our requests by Klaviyo's own document.
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import {
  applyChange,
  createFake,
  createFakeSend,
  createTestContext,
  credentialOf,
  exampleChange,
  type FakeRequest,
  startFake,
} from '../../testing/index.ts';
import type { ToolRequest } from '../../index.ts';
import { klaviyo } from './klaviyo.ts';
import document from './openapi.json' with { type: 'json' };

interface Operation {
  query: Record<string, string[]>;
  headers: string[];
  contentType?: string;
  body?: object;
}

const operations = document.operations as Record<string, Operation>;
const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });

const nameOf = ({ method, path }: FakeRequest): string =>
  `${method} ${path.replace(/^(\/api\/(?:lists|profile-bulk-import-jobs)\/)[^/]+/, '$1{id}')}`;

function problemsOf(request: FakeRequest): string[] {
  const { query, headers, body } = request;
  const name = nameOf(request);
  const operation = operations[name];
  if (!operation) return [`${name} does not exist.`];
  const problems = operation.headers
    .filter((header) => !headers[header])
    .map((header) => `${name} lacks ${header}.`);
  for (const [parameter, value] of query) {
    const known = operation.query[parameter];
    if (!known) problems.push(`${name} has no parameter ${parameter}.`);
    else if (known.length > 0)
      for (const each of value.split(','))
        if (!known.includes(each)) problems.push(`${name} ${parameter}: ${each}`);
  }
  if (operation.contentType && headers['content-type'] !== operation.contentType)
    problems.push(`${name} has the content type ${headers['content-type']}.`);
  if (operation.body && !ajv.validate(operation.body, body))
    problems.push(...ajv.errors!.map(({ instancePath, message }) => `${name}${instancePath} ${message}`));
  return problems;
}

test('every call is one of the document of Klaviyo', async () => {
  const fake = createFake('klaviyo');
  const send = createFakeSend('klaviyo', fake);
  const fields = [
    { key: 'first_name', value: 'Ada', policy: 'if_empty' as const },
    { key: 'location.city', value: 'London', policy: 'if_empty' as const },
    { key: 'phone_number', value: '+442012345678', policy: 'always' as const },
    { key: 'watched', value: 75, policy: 'if_empty' as const },
    { key: 'attended', value: true, policy: 'at_creation' as const },
  ];
  const change = exampleChange({
    fields,
    lists: { add: ['L1'], remove: ['L2'] },
    events: [
      {
        id: '0192f1a0-0000-7000-8000-000000000001',
        name: 'Attended webinar',
        at: new Date(0),
        properties: { minutes: 42 },
        value: { amount: 49, currency: 'USD' },
      },
    ],
    consent: { given: true, at: new Date(0) },
  });
  for (const isBackfill of [false, true]) await applyChange(klaviyo, { ...change, isBackfill }, send);
  await send(klaviyo.batch!.plan([exampleChange({ fields }), exampleChange({ email: 'b@example.com' })]));
  const { job } = klaviyo.batch!;
  fake.imports.set('import-9', ['b@example.com']);
  const status = job!.plan('import-9');
  const result = klaviyo.readJob(status, await send(status), credentialOf('klaviyo') as { key: string });
  await send((result as { next: ToolRequest }).next);
  await send(klaviyo.erase!(change.email, { done: new Set(), learnt: {} })[0]!);
  await using running = await startFake('klaviyo');
  await using context = createTestContext(running);
  const credential = klaviyo.credential.parse(credentialOf('klaviyo'));
  await klaviyo.verify(credential, context);
  await klaviyo.readCatalogue(credential, context);

  const requests = [...fake.requests, ...running.requests];
  expect(requests.flatMap(problemsOf)).toEqual([]);
  // Every call of the document was made.
  const called = new Set(requests.map(nameOf));
  expect(Object.keys(operations).filter((name) => !called.has(name))).toEqual([]);
});
