import { keyField } from '@service/outbound-http';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { defineProvider } from './define-provider.ts';
import type { Answer, Catalogue, StepOutcome, ToolRequest } from './marketing-provider.ts';
import { createTestContext, exampleChange } from './testing/index.ts';

const secret = 'key/with+signs==and.more';
const credential = { key: secret };

/** A tool that says the same to every call. */
const toolWith = (outcomes: StepOutcome[], catalogue: Catalogue = { fields: [], tags: [], lists: [] }) =>
  defineProvider({
    id: 'example',
    name: 'Example',
    words: { field: 'Field', tag: undefined, list: undefined },
    credential: z.object({ key: keyField({ label: '', placeholder: '', help: '' }) }),
    baseUrl: () => 'https://api.example.com/v3/',
    headers: ({ key }) => ({ authorization: key }),
    limits: {},
    open: 1,
    events: { exist: false, areIdempotent: false },
    verify: () => Promise.resolve({ kind: 'accepted', account: undefined }),
    catalogue: () => Promise.resolve(catalogue),
    plan: () => [],
    read: () => outcomes[0],
    batch: { max: 10, suits: () => true, plan: () => request(''), read: () => outcomes },
  });

test('a catalogue has at most 512 KB of fields, of tags and of lists', async () => {
  await using context = createTestContext({ baseUrl: 'http://127.0.0.1:1' });
  const long = 'x'.repeat(200);
  const choices = Array.from({ length: 300 }, () => long);
  const many = Array.from({ length: 1200 }, (_, index) => `${index} ${long}`.slice(0, 200));
  const catalogue = {
    fields: many.map((key) => ({ key, label: long, type: 'choice' as const, choices })),
    tags: many.map((name) => ({ name })),
    lists: many.map((listId) => ({ id: listId, name: long })),
  };
  const read = await toolWith([], catalogue).readCatalogue(credential, context);
  if ('failed' in read) throw new Error(read.failed);
  for (const kind of [read.fields, read.tags, read.lists])
    expect(Buffer.byteLength(JSON.stringify(kind))).toBeLessThanOrEqual(512 * 1024);
  expect([read.fields.length, read.tags.length, read.lists.length]).toEqual([12, 1000, 1000]);
});

test('keys and ids that cannot be stored are left out of a catalogue', async () => {
  await using context = createTestContext({ baseUrl: 'http://127.0.0.1:1' });
  const keys = ['', 'x'.repeat(201), 'a\u0000', '\ud800', 'good'];
  const catalogue = {
    fields: keys.map((key) => ({ key, label: key, type: 'text' as const })),
    tags: keys.map((name) => ({ name })),
    lists: keys.map((listId) => ({ id: listId, name: listId })),
  };
  expect(await toolWith([], catalogue).readCatalogue(credential, context)).toEqual({
    fields: [{ key: 'good', label: 'good', type: 'text' }],
    tags: [{ name: 'good' }],
    lists: [{ id: 'good', name: 'good' }],
  });
});

const request = (path: string): ToolRequest => ({ step: 's', name: '', limits: [], method: 'GET', path });
const answer: Answer = { status: 200, headers: {}, json: {}, text: '' };

test('no form of a secret stays in a text of an outcome', () => {
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  const forms = [secret, encodeURIComponent(secret), base64(secret), base64(`any:${secret}`)];
  const reason = forms.map((form) => `<${form}>`).join(' ');
  const tool = toolWith([{ kind: 'fields_refused', fields: [{ key: 'a', reason }], reason }]);
  const said = JSON.stringify(tool.read(request('/'), answer, exampleChange(), credential));
  expect(said.match(/<\*\*\*>/g)).toHaveLength(8);
});

test('a reason is one line of at most 300 characters', () => {
  const tool = toolWith([{ kind: 'person_refused', reason: 'a\r\nb'.repeat(200) }]);
  expect(tool.read(request('/'), answer, exampleChange(), credential)).toMatchObject({
    reason: expect.stringMatching(/^a b[^\r\n]{297}$/),
  });
});

test('a batch whose answer has not one outcome for each contact is sent again', () => {
  const tool = toolWith([{ kind: 'done' }]);
  const two = [exampleChange(), exampleChange({ email: 'b@example.com' })];
  expect(tool.readBatch(request('/'), answer, two, credential)).toMatchObject({
    kind: 'later',
    reason: 'The answer is about 1 of 2 contacts.',
  });
});

test('a call is not made while its path waits for another answer, or leads out of the API by points', async () => {
  await using context = createTestContext({ baseUrl: 'http://127.0.0.1:1' });
  for (const path of ['/contacts/{contact}', '/lists/../keys', '/lists/..', '/lists/./x?y=1'])
    expect(await toolWith([]).send(request(path), credential, context), path).toEqual({
      lost: expect.stringMatching(/^The (call needs|id consists)/),
      mayHaveArrived: false,
    });
});
