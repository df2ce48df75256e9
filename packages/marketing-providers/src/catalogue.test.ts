// The choices of mappings that each tool gives. Each test runs against the fake of each tool.
import { describe, expect, test } from 'vitest';
import { kindFits, marketingProviders, toFieldForm, type ValueKind } from './index.ts';
import {
  applyChange,
  createFake,
  createFakeSend,
  createTestContext,
  credentialOf,
  exampleChange,
  refusedKeys,
  samplesOf,
  startFake,
} from './testing/index.ts';

const at = new Date('2026-12-01T17:00:00Z');

for (const provider of marketingProviders) {
  const { id } = provider;
  const samples = samplesOf(id);
  const credential = provider.credential.parse(credentialOf(id));
  const hasTags = provider.words.tag !== undefined;

  /** A fake that is called without a network, and writes one field. */
  const open = () => {
    const fake = createFake(id);
    const send = createFakeSend(id, fake);
    const { email } = exampleChange();
    return {
      fake,
      send,
      write: (key: string, value: string | number | boolean) =>
        applyChange(provider, exampleChange({ fields: [{ key, value, policy: 'always' }] }), send),
      valueOf: (key: string) => fake.contacts.get(email)?.fields[key],
    };
  };
  /** A fake that is called over HTTP, and its catalogue. */
  const openServer = async () => {
    const fake = await startFake(id);
    const context = createTestContext(fake);
    const readAny = () => provider.readCatalogue(credential, context);
    return {
      fake,
      readAny,
      async read() {
        const catalogue = await readAny();
        if ('failed' in catalogue) throw new Error(catalogue.failed);
        return catalogue;
      },
      async [Symbol.asyncDispose]() {
        await context[Symbol.asyncDispose]();
        await fake[Symbol.asyncDispose]();
      },
    };
  };

  describe(provider.name, () => {
    test('the catalogue has the fields, lists and tags of the account', async () => {
      await using server = await openServer();
      const { fake } = server;
      const contact = fake.contact('old@example.com');
      contact.fields[samples.text] = 'Demo';
      contact.fields[samples.number] = 5;
      if (hasTags) fake.tags.add('vip');
      const catalogue = await server.read();
      const typeOf = (key: string) => catalogue.fields.find((field) => field.key === key)?.type;
      expect([typeOf(samples.text), typeOf(samples.name), typeOf(samples.number)]).toEqual([
        'text',
        'text',
        samples.numberIsText ? 'text' : 'number',
      ]);
      expect(catalogue.lists).toEqual([...fake.lists].map(([key, name]) => ({ id: key, name })));
      if (hasTags) expect(catalogue.tags).toContainEqual({ name: 'vip' });
      else expect(catalogue.tags).toEqual([]);
    });

    test('every value that fits a field of the catalogue arrives, in the form that the field takes', async () => {
      await using server = await openServer();
      const { fake } = server;
      // Klaviyo knows the types of properties from values only.
      Object.assign(fake.contact('old@example.com').fields, {
        attended: true,
        seen_on: '2026-01-01',
        seen_at: '2026-01-01T10:00:00Z',
      });
      const catalogue = await server.read();
      const { write, valueOf } = open();
      const values = Object.entries({ text: 'Demo', number: 75, boolean: true, moment: at.toISOString() });
      // A phone number is a text with a form of its own.
      for (const { key, type } of catalogue.fields.filter((field) => !/phone|SMS/.test(field.key)))
        for (const [kind, value] of values.filter(([each]) => kindFits(each as ValueKind, type))) {
          const form = toFieldForm(value, type);
          expect(refusedKeys(await write(key, form)), `${kind} into ${key} of type ${type}`).toEqual([]);
          expect(String(valueOf(key)), `${kind} into ${key} of type ${type}`).toBe(String(form));
        }
      expect(new Set(catalogue.fields.map(({ type }) => type))).toEqual(new Set(samples.fieldTypes));
      for (const { type, choices } of catalogue.fields)
        expect(choices !== undefined).toBe(type === 'choice' || type === 'multiple_choice');
    });

    test('a catalogue of an endless account is bounded', async () => {
      await using server = await openServer();
      const { fake } = server;
      for (let index = 0; index < 1200; index++) {
        fake.lists.set(`list${index}`, 'x'.repeat(500));
        fake.fields.set(`field${index}`, samples.textType);
      }
      const catalogue = await server.read();
      for (const kind of [catalogue.fields, catalogue.tags, catalogue.lists])
        expect(kind.length).toBeLessThanOrEqual(1000);
      for (const { name } of catalogue.lists) expect(name.length).toBeLessThanOrEqual(200);
    });

    test('answers of the largest size are read up to 8 MB, and give a small catalogue or a reason', async () => {
      await using server = await openServer();
      const { fake } = server;
      const names = 'attributes lists results fields fieldOptions tags merge_fields segments categories';
      const zeros = `[${'0,'.repeat(180_000)}0]`;
      const texts = [...names.split(' '), 'custom_fields', 'data'].map((name) => `"${name}":${zeros}`);
      const body = `{${texts.join(',')},"hasMore":true,"offset":1,"links":{"next":"x?page[cursor]=1"}}`;
      for (let page = 0; page < 300; page++) fake.faults.push({ status: 200, body });
      const read = await server.readAny();
      expect(JSON.stringify(read).length).toBeLessThan(100_000);
      expect(fake.requests.length * body.length).toBeLessThanOrEqual(12 * 1024 * 1024);
    });

    test.each([
      ['a text', 'x'.repeat(3_000_000)],
      ['a list', Array.from({ length: 500_000 }, () => 0)],
    ])(
      '%s of the largest size in the place of the fields of a person gives no fields',
      async (_form, properties) => {
        await using server = await openServer();
        const body = JSON.stringify({ data: [{ attributes: { properties } }] });
        for (let page = 0; page < 300; page++) server.fake.faults.push({ status: 200, body });
        const read = await server.readAny();
        const keys = 'failed' in read ? [] : read.fields.map(({ key }) => key);
        expect(keys).not.toContain('0');
      },
    );

    if (provider.createField)
      test('a field that is made can be filled', async () => {
        const { fake, send, write, valueOf } = open();
        const request = provider.createField!({ label: 'Watched %', kind: 'number' });
        const outcome = provider.read(request, await send(request), exampleChange(), credential);
        expect(outcome).toMatchObject({ kind: 'done' });
        const [key] = [...fake.fields.keys()].slice(-1);
        expect(refusedKeys(await write(key!, 75))).toEqual([]);
        expect(Number(valueOf(key!))).toBe(75);
        // A second click.
        expect(provider.read(request, await send(request), exampleChange(), credential)).toMatchObject({
          kind: 'done',
        });
      });

    if (provider.createField)
      test('six fields with labels that begin alike are six fields', async () => {
        const { fake, send } = open();
        const labels = [
          'webinar',
          'webinar registered at',
          'webinar attended',
          'seen',
          'seen at',
          'seen in webinar',
        ];
        const before = fake.fields.size;
        for (const label of labels) {
          const request = provider.createField!({ label: `Latest ${label}`, kind: 'text' });
          await send(request);
        }
        expect(fake.fields.size - before).toBe(6);
      });
  });
}
