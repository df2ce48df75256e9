// One suite for every tool: what becomes of a contact. Each test runs against the fake of each tool. `contract-calls.test.ts` has the calls.
import { describe, expect, test } from 'vitest';
import { always, at, given, kinds, openContract, unicode } from './contract.fixture.ts';
import { type ContactChange, marketingProviders } from './index.ts';
import { applyChange, checkConsentHistories, exampleChange, refusedKeys } from './testing/index.ts';

for (const provider of marketingProviders) {
  const { id } = provider;
  const { samples, open, openServer, full } = openContract(provider);
  const hasTags = provider.words.tag !== undefined;
  const hasLists = provider.words.list !== undefined;
  /** Lists that a contact is in. */
  const ifLists = (...ids: string[]): string[] => (hasLists ? ids : []);
  const allDone = (steps: { outcome: { kind: string } }[]): boolean =>
    steps.every(({ outcome }) => outcome.kind === 'done');

  describe(provider.name, () => {
    test('a change arrives over HTTP with its fields, tags, list and event', async () => {
      const { fake, context, send } = await openServer();
      await using _fake = fake;
      await using _context = context;
      const steps = await applyChange(provider, exampleChange(full), send);
      expect(kinds(steps)).toEqual(steps.map(() => 'done'));
      const contact = fake.contacts.get('ada+webinar@example.com')!;
      expect(contact.fields).toMatchObject({ [samples.text]: 'Demo', [samples.name]: 'Ada' });
      expect(Number(contact.fields[samples.number])).toBe(75);
      expect([...contact.lists]).toEqual(ifLists(samples.lists[0]));
      if (hasTags) expect([...contact.tags]).toEqual(['attended']);
      expect(fake.events.map(({ name, email }) => [name, email])).toEqual(
        samples.event === undefined ? [] : [[samples.event, 'ada+webinar@example.com']],
      );
    });

    test('the same change twice gives the same contact, and the event once where the tool recognises it', async () => {
      const { fake, apply, contact } = open();
      await apply(full);
      const first = structuredClone(contact());
      expect(allDone(await apply(full))).toBe(true);
      expect(contact()).toEqual(first);
      expect(fake.contacts.size).toBe(1);
      if (samples.event !== undefined)
        expect(fake.events).toHaveLength(provider.events.areIdempotent ? 1 : 2);
    });

    test('tags and lists are added and removed, and others stay', async () => {
      const { fake, apply, contact } = open();
      const own = fake.contact(exampleChange().email);
      own.tags.add('of-the-owner');
      own.consent = 'given';
      await apply({
        tags: { add: ['attended', 'missed'], remove: [] },
        lists: { add: samples.lists, remove: [] },
        consent: given,
      });
      const steps = await apply({
        tags: { add: [], remove: ['missed'] },
        lists: { add: [], remove: [samples.lists[1]] },
      });
      expect(allDone(steps)).toBe(true);
      expect([...contact()!.lists]).toEqual(ifLists(samples.lists[0]));
      if (hasTags) expect([...contact()!.tags].toSorted()).toEqual(['attended', 'of-the-owner']);
    });

    test('removing what is not there changes nothing', async () => {
      const { apply, contact } = open();
      const steps = await apply({
        tags: { add: [], remove: ['never'] },
        lists: { add: [], remove: [samples.lists[0]] },
      });
      expect(allDone(steps)).toBe(true);
      expect(contact()?.tags.size ?? 0).toBe(0);
      expect(contact()?.lists.size ?? 0).toBe(0);
    });

    if (hasLists)
      test('a list that is gone is named, and the rest of the change is made', async () => {
        const { fake, apply, contact } = open();
        fake.lists.delete(samples.lists[0]);
        const steps = await apply({ ...full, lists: { add: samples.lists, remove: [] } });
        expect(steps.filter(({ outcome }) => outcome.kind !== 'done')).toMatchObject([
          { outcome: { kind: 'missing', subject: 'list', key: samples.lists[0] } },
        ]);
        expect([...contact()!.lists]).toEqual([samples.lists[1]]);
        expect(contact()!.fields[samples.text]).toBe('Demo');
        expect(fake.events).toHaveLength(samples.event === undefined ? 0 : 1);
      });

    test('without consent a person is added to no list, and fields are in step', async () => {
      for (const consent of [undefined, { given: false, at }]) {
        const { apply, contact } = open();
        expect(allDone(await apply({ ...full, consent }))).toBe(true);
        expect(contact()!.fields[samples.text]).toBe('Demo');
        expect(contact()!.lists.size).toBe(0);
        expect(contact()!.consent).toBe('none');
      }
    });

    test('a person who left stays out, and fields are in step', async () => {
      const { fake, apply, contact } = open();
      fake.contact(exampleChange().email).consent = 'left';
      const steps = await apply(full);
      expect(steps.every(({ outcome }) => outcome.kind === 'done' || outcome.kind === 'left')).toBe(true);
      expect(contact()!.consent).toBe('left');
      expect(contact()!.fields[samples.text]).toBe('Demo');
    });

    test('in random histories a person who left stays out', async () => {
      await checkConsentHistories(id, { runs: 100 });
    });

    test('a field with the policy "if empty" or "at creation" does not overwrite', async () => {
      const { apply, contact } = open();
      const fields = (value: string): ContactChange['fields'] => [
        { key: samples.name, value, policy: 'if_empty' },
        { key: samples.text, value, policy: 'at_creation' },
      ];
      await apply({ fields: fields('first') });
      expect(contact()!.fields).toMatchObject({ [samples.name]: 'first', [samples.text]: 'first' });
      await apply({ fields: fields('second') });
      expect(contact()!.fields).toMatchObject({ [samples.name]: 'first', [samples.text]: 'first' });
      delete contact()!.fields[samples.name];
      delete contact()!.fields[samples.text];
      await apply({ fields: fields('third') });
      expect(contact()!.fields[samples.name]).toBe('third');
      expect(contact()!.fields[samples.text]).toBeUndefined();
    });

    test('a run over people of the past starts no automation', async () => {
      const { fake, apply, contact } = open();
      expect(allDone(await apply({ ...full, isBackfill: true }))).toBe(true);
      expect(contact()!.fields[samples.text]).toBe('Demo');
      expect(fake.automations).toEqual([]);
    });

    test('letters beyond ASCII arrive unchanged, and a value of 300 characters is not lost', async () => {
      const { apply, contact } = open();
      await apply({ fields: [always(samples.text, unicode)] });
      expect(contact()!.fields[samples.text]).toBe(unicode);
      const long = 'ü🎉a'.repeat(75);
      expect(allDone(await apply({ fields: [always(samples.text, long)] }))).toBe(true);
      const kept = String(contact()!.fields[samples.text]);
      if (samples.textBytesMax === undefined) return expect(kept).toBe(long);
      expect(long.startsWith(kept)).toBe(true);
      expect(Buffer.byteLength(kept)).toBeGreaterThan(samples.textBytesMax - 4);
      expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(samples.textBytesMax);
    });

    test('a field that the tool does not have is named where the tool says so, and the rest is sent', async () => {
      const { apply, contact } = open();
      const steps = await apply({ ...full, fields: [...full.fields!, always('no_such_field', 'x')] });
      expect(refusedKeys(steps)).toEqual(samples.unknownField === 'refused' ? ['no_such_field'] : []);
      expect(contact()!.fields[samples.text]).toBe('Demo');
      expect(contact()!.fields['no_such_field']).toBe(samples.unknownField === 'taken' ? 'x' : undefined);
      expect([...contact()!.lists]).toEqual(ifLists(samples.lists[0]));
    });

    if (samples.wrongType)
      test('a value of the wrong type is named where the tool says so, and the rest is sent', async () => {
        const { apply, contact } = open();
        const { key, value, becomes } = samples.wrongType!;
        const steps = await apply({
          ...full,
          fields: [...full.fields!.filter((field) => field.key !== key), always(key, value)],
        });
        expect(refusedKeys(steps)).toEqual(becomes === 'refused' ? [key] : []);
        expect(contact()!.fields[samples.text]).toBe('Demo');
        expect(contact()!.fields[key]).toBeUndefined();
      });

    test('an address that the tool refuses is final for the person', async () => {
      const { fake, apply } = open();
      const steps = await apply({ ...full, email: 'not an address' });
      expect(steps.at(-1)!.outcome).toMatchObject({ kind: 'person_refused' });
      expect(fake.contacts.size).toBe(0);
    });

    test('a limit asks for its wait, a disturbance is repeated, and both spend no contact', async () => {
      const { fake, apply } = open();
      fake.faults.push('rate_limited');
      const [limited] = await apply(full);
      expect(limited!.outcome).toEqual({
        kind: 'throttled',
        reason: expect.any(String),
        retryAfterMs: samples.retryAfterMs,
      });
      fake.faults.push('unavailable');
      const [disturbed] = await apply(full);
      expect(disturbed!.outcome).toMatchObject({ kind: 'later', mayHaveArrived: false });
      expect(fake.contacts.size).toBe(0);
    });
  });
}
