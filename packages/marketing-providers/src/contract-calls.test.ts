// One suite for every tool: limits, lost answers, credentials, batches, erasures and previews. Each test runs against the fake of each tool.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { always, given, kinds, openContract } from './contract.fixture.ts';
import { type ContactChange, marketingProviders, type ToolRequest } from './index.ts';
import {
  applyChange,
  createFake,
  createFakeSend,
  createTestContext,
  credentialOf,
  exampleChange,
  startFake,
} from './testing/index.ts';

for (const provider of marketingProviders) {
  const { id } = provider;
  const { samples, credential, open, openServer, full } = openContract(provider);

  describe(provider.name, () => {
    test('the documented limits of the tool are those of its record', async () => {
      let now = 0;
      const fake = createFake(id, { now: () => now });
      const send = createFakeSend(id, fake);
      const used = new Map<string, number[]>();
      for (let index = 0; index < 40; index++) {
        const change = exampleChange({ ...full, email: `person${index}@example.com` });
        await applyChange(provider, change, async (request) => {
          // Waits, on the clock of the fake, until every window of the request has room.
          const windows = request.limits.flatMap((name) =>
            (provider.limits[name] ?? []).map((window) => ({ name, ...window })),
          );
          for (const { name, count, windowMs } of windows) {
            const times = used.get(name) ?? [];
            const oldest = times.at(-count);
            if (oldest !== undefined) now = Math.max(now, oldest + windowMs);
          }
          for (const name of request.limits) used.set(name, [...(used.get(name) ?? []), now]);
          return await send(request);
        });
      }
      expect(fake.overLimit).toBe(0);
      expect(fake.contacts.size).toBe(40);
      // Each request names its limits, if the tool counts requests.
      expect(used.size > 0).toBe(Object.keys(provider.limits).length > 0);
    });

    test('wherever answers are lost, a repeated change ends in the same state', async () => {
      const { apply, contact } = open();
      await apply(full);
      const wanted = contact();
      for (let lost = 0; lost < 6; lost++) {
        const broken = open();
        broken.fake.faults.push(...Array.from({ length: lost }, () => 'none' as const), 'lost');
        const steps = await broken.apply(full);
        if (steps.length > lost)
          expect(steps.at(-1)!.outcome).toMatchObject({ kind: 'later', mayHaveArrived: true });
        await broken.apply(full);
        expect(broken.contact()).toEqual(wanted);
        if (provider.events.areIdempotent) expect(broken.fake.events).toHaveLength(1);
      }
    });

    test('a caller who stops while the tool is silent gets an outcome', async () => {
      const fake = await startFake(id);
      await using _fake = fake;
      const caller = new AbortController();
      await using context = createTestContext(fake, { signal: caller.signal });
      fake.faults.push('silent');
      fake.onSilent = () => caller.abort();
      const request = provider.plan(exampleChange(full), { done: new Set(), learnt: {} })[0]!;
      expect(await provider.send(request, credential, context)).toMatchObject({ mayHaveArrived: true });
      // This call is not made.
      expect(await provider.send(request, credential, context)).toMatchObject({ mayHaveArrived: false });
      expect(fake.requests).toHaveLength(1);
      expect(await provider.verify(credential, context)).toMatchObject({ kind: 'unreachable' });
      expect(await provider.readCatalogue(credential, context)).toMatchObject({ failed: expect.any(String) });
    });

    test('a private address and a redirect are not followed', async () => {
      const { fake, context, send } = await openServer();
      await using _fake = fake;
      await using _context = context;
      const request = provider.plan(exampleChange(full), { done: new Set(), learnt: {} })[0]!;
      fake.faults.push({ status: 307, headers: { location: `${fake.baseUrl}/elsewhere` } });
      expect(await send(request)).toMatchObject({ lost: expect.any(String), mayHaveArrived: false });
      expect(fake.requests).toHaveLength(1);
      await using strict = createTestContext(fake, { allowedCidrs: [] });
      const blocked = await provider.send(request, credential, strict);
      expect(blocked).toMatchObject({ lost: expect.stringContaining('private or reserved address') });
      expect(fake.requests).toHaveLength(1);
    });

    test('a working key is accepted, a key without rights and a revoked one are not', async () => {
      const { fake, context } = await openServer();
      await using _fake = fake;
      await using _context = context;
      expect(await provider.verify(credential, context)).toEqual({
        kind: 'accepted',
        account: samples.namesNoAccount ? undefined : expect.any(String),
      });
      expect(fake.contacts.size).toBe(0);
      if (samples.keysHaveScopes) {
        fake.lacksRights = true;
        expect(await provider.verify(credential, context)).toMatchObject({ kind: 'not_allowed' });
      }
      fake.key = undefined;
      expect(await provider.verify(credential, context)).toMatchObject({ kind: 'refused' });
      expect(await provider.readCatalogue(credential, context)).toMatchObject({ failed: expect.any(String) });
    });

    test('no reason contains the key, although the tool repeats it', async () => {
      const { fake, context, send } = await openServer();
      await using _fake = fake;
      await using _context = context;
      fake.key = undefined;
      const steps = await applyChange(provider, exampleChange(full), send);
      expect(kinds(steps)).toEqual(['credential_refused']);
      const said = JSON.stringify([
        steps[0]!.outcome,
        await provider.verify(credential, context),
        await provider.readCatalogue(credential, context),
      ]);
      expect(said).toContain('***');
      expect(said).not.toContain(credentialOf(id)['key']);
      expect(provider.last4(credential)).toBe(credentialOf(id)['key']!.slice(-4));
    });

    if (provider.batch)
      test('a batch gives one outcome for each contact, and a culprit is found among others', async () => {
        const { fake, send } = open();
        const batch = provider.batch!;
        const emails = ['a@example.com', 'b@example.com', 'not an address', 'd@example.com'];
        const changes = emails.map((email) =>
          exampleChange({ email, fields: [always(samples.text, email)] }),
        );
        expect(changes.every((change) => batch.suits(change))).toBe(true);
        const outcomeOf = new Map<string, string>();
        const sendAll = async (some: ContactChange[]): Promise<void> => {
          const request = batch.plan(some);
          const outcomes = provider.readBatch(request, await send(request), some, credential);
          if (Array.isArray(outcomes))
            return outcomes.forEach(({ kind }, index) => outcomeOf.set(some[index]!.email, kind));
          if (some.length === 1)
            return void outcomeOf.set(some[0]!.email, (outcomes as { kind: string }).kind);
          await sendAll(some.slice(0, some.length / 2));
          await sendAll(some.slice(some.length / 2));
        };
        await sendAll(changes);
        expect(Object.fromEntries(outcomeOf)).toEqual({
          'a@example.com': 'done',
          'b@example.com': 'done',
          'not an address': 'person_refused',
          'd@example.com': 'done',
        });
        const texts = [...fake.contacts.values()].map(({ fields }) => String(fields[samples.text]));
        expect(texts.toSorted()).toEqual(['a@example.com', 'b@example.com', 'd@example.com']);
        // A call of a batch cannot keep conditions apart for each contact, and rarely lists.
        expect(
          batch.suits(exampleChange({ fields: [{ key: samples.name, value: 'Ada', policy: 'if_empty' }] })),
        ).toBe(false);
        expect(
          batch.suits(exampleChange({ consent: given, lists: { add: samples.lists, remove: [] } })),
        ).toBe(samples.batchHasLists === true);
      });

    if (provider.erase)
      test('a person is erased, also one whom the tool does not have', async () => {
        const { fake, send, apply } = open();
        await apply(full);
        for (let turn = 0; turn < 2; turn++) {
          const done = new Set<string>();
          let learnt: Record<string, string> = {};
          for (let step = 0; step < 5; step++) {
            const [request] = provider.erase!(exampleChange().email, { done, learnt });
            if (!request) break;
            const outcome = provider.read(request, await send(request), exampleChange(), credential);
            expect(outcome).toMatchObject({ kind: 'done' });
            done.add(request.step);
            learnt = { ...learnt, ...(outcome.kind === 'done' && outcome.learnt) };
          }
          expect(provider.erase!(exampleChange().email, { done, learnt })).toEqual([]);
        }
        expect(fake.contacts.size).toBe(0);
        expect(fake.erased).toEqual([exampleChange().email]);
      });

    test('the preview names each call once, and the first call waits for no other', () => {
      const requests = provider.plan(exampleChange(full), { done: new Set(), learnt: {} });
      const steps = requests.map(({ step }) => step);
      expect(new Set(steps).size).toBe(steps.length);
      expect(JSON.stringify(requests[0])).not.toMatch(/\{[a-z]+\}/);
      for (const { name, limits } of requests) {
        expect(name).toMatch(/^[A-Z]/);
        expect(limits.every((limit) => provider.limits[limit])).toBe(true);
      }
      const hostile = { ...full, email: 'a/../b?x=1&y#{contact}"@example.com' };
      for (const { path } of provider.plan(exampleChange(hostile), { done: new Set(), learnt: {} }))
        expect(path.split('?')[0]).not.toContain('/..');
    });

    test('no answer makes a reading throw', () => {
      const change = exampleChange(full);
      const requests: ToolRequest[] = [
        ...provider.plan(change, { done: new Set(), learnt: {} }),
        ...(provider.erase?.(change.email, { done: new Set(), learnt: {} }) ?? []),
      ];
      const json = fc.oneof(
        fc.jsonValue(),
        fc.record({ errors: fc.jsonValue(), data: fc.jsonValue(), detail: fc.jsonValue() }),
        fc.record({
          errors: fc.array(fc.jsonValue()),
          results: fc.array(fc.jsonValue()),
          message: fc.jsonValue(),
        }),
      );
      fc.assert(
        fc.property(json, fc.constantFrom(200, 201, 204, 207, 400, 404, 409, 422, 500), (value, status) => {
          const answer = { status, headers: {}, json: value, text: JSON.stringify(value) };
          for (const request of requests) {
            const outcome = provider.read(request, answer, change, credential);
            if ('reason' in outcome) expect(outcome.reason.length).toBeLessThanOrEqual(300);
          }
          if (provider.batch) provider.readBatch(provider.batch.plan([change]), answer, [change], credential);
        }),
        { numRuns: 50 },
      );
    });

    test('a shown request is that of a send, without the key in any form', () => {
      const shown = provider
        .plan(exampleChange(), { done: new Set(), learnt: {} })
        .map((request) => provider.show(request, credential, 'https://tool.example'));
      const { key } = credentialOf(provider.id);
      const basic = Buffer.from(`any:${key}`).toString('base64');
      expect(shown).not.toEqual([]);
      for (const { url, headers } of shown) {
        expect(url).toMatch(/^https:\/\/tool\.example\/./);
        expect(Object.values(headers).join()).toContain('***');
        expect(JSON.stringify(headers)).not.toContain(key);
        expect(JSON.stringify(headers)).not.toContain(basic);
      }
    });

    test('an answer of the largest size gives a small outcome', () => {
      const change = exampleChange(full);
      const fault = { field: samples.text, name: samples.text, source: { pointer: `/${samples.text}` } };
      const item = {
        ...fault,
        id: '1',
        tag: '1',
        list: '1',
        value: 'x',
        context: { propertyName: [samples.text] },
      };
      const items = Array.from({ length: 4000 }, (_, n) =>
        n % 2 ? item : { ...item, id: n, tag: n, field: n },
      );
      const names =
        'errors data results tags contacts contactTags contactLists fieldValues subscribers warnings';
      const json = {
        ...Object.fromEntries(names.split(' ').map((name) => [name, items])),
        message: 'x'.repeat(1e5),
      };
      const progress = { done: new Set<string>(), learnt: {} };
      for (const request of provider.plan(change, progress))
        for (const status of [200, 400]) {
          const answer = { status, headers: {}, json, text: JSON.stringify(json) };
          const outcome = provider.read(request, answer, change, credential);
          expect(JSON.stringify(outcome).length, `${request.step} ${status}`).toBeLessThan(10_000);
        }
    });

    test('every field of the credential has its texts, and exactly one is secret', () => {
      const { shape } = provider.credential as unknown as {
        shape: Record<string, { meta(): Record<string, unknown> }>;
      };
      const texts = Object.values(shape).map((field) => field.meta());
      for (const text of texts)
        expect(text).toEqual({
          label: expect.any(String),
          placeholder: expect.any(String),
          help: expect.any(String),
          isSecret: expect.any(Boolean),
        });
      expect(texts.filter(({ isSecret }) => isSecret)).toHaveLength(1);
    });
  });
}
