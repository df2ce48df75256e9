// Random histories of a few people and one tool: a person who left stays out, also of a single list, and without consent no person is
// subscribed or listed.
import fc from 'fast-check';
import type { ContactChange, ProviderId } from '../index.ts';
import { applyChange, exampleChange } from './apply-change.ts';
import { createFake, createFakeSend, credentialOf, providerOf, samplesOf } from './fakes.ts';
import type { Fault, Samples } from './tool-fake.ts';

const people = ['ada@example.com', 'Bob@example.com', 'cy@example.com'];

export interface ConsentRun {
  /** Histories. */
  runs: number;
  seed?: number;
}

type Step =
  /** `leavesAt`: the person leaves before this call of the change. */
  | { kind: 'change'; change: ContactChange; faults: Fault[]; leavesAt: number | undefined }
  | { kind: 'batch'; changes: ContactChange[] }
  | { kind: 'leave' | 'come_back' | 'erase'; person: string }
  | { kind: 'leave_list'; person: string; list: string };

/** Throws with the shortest history that brings a person back. */
export async function checkConsentHistories(id: ProviderId, { runs, seed }: ConsentRun): Promise<void> {
  const history = fc.array(step(samplesOf(id)), { minLength: 1, maxLength: 12 });
  const options = { numRuns: runs, ...(seed !== undefined && { seed }) };
  await fc.assert(
    fc.asyncProperty(history, (steps) => playHistory(id, steps)),
    options,
  );
}

async function playHistory(id: ProviderId, steps: Step[]): Promise<void> {
  const provider = providerOf(id);
  const { keepsLeftLists = false } = samplesOf(id);
  const fake = createFake(id);
  const send = createFakeSend(id, fake);
  const left = new Set<string>();
  /** People who gave consent to us or to the tool. */
  const consented = new Set<string>();

  const leave = (person: string): void => {
    fake.contact(person).consent = 'left';
    left.add(person);
  };

  /** The changes that may add a person to a list that they have left: those that name it, with consent. */
  const mayRejoin = (step: Step, person: string, list: string): boolean => {
    if (keepsLeftLists) return false;
    const changes = step.kind === 'change' ? [step.change] : step.kind === 'batch' ? step.changes : [];
    return changes.some(
      ({ email, consent, lists }) => email === person && consent?.given === true && lists.add.includes(list),
    );
  };

  for (const each of steps) {
    switch (each.kind) {
      case 'leave_list': {
        const contact = fake.contact(each.person);
        contact.lists.delete(each.list);
        contact.leftLists.add(each.list);
        break;
      }
      case 'leave':
        leave(each.person);
        break;
      case 'come_back':
        fake.contact(each.person).consent = 'given';
        left.delete(each.person);
        consented.add(each.person);
        break;
      case 'erase': {
        // Afterwards the tool does not know whether the person had left.
        const request = provider.erase?.(each.person, { done: new Set(), learnt: {} })[0];
        if (request) await send(request);
        if (!fake.contacts.has(each.person.toLowerCase())) left.delete(each.person);
        break;
      }
      case 'change': {
        if (each.change.consent?.given) consented.add(each.change.email);
        fake.faults.push(...each.faults);
        let calls = 0;
        await applyChange(provider, each.change, (request) => {
          if (calls++ === each.leavesAt) leave(each.change.email);
          return send(request);
        });
        fake.faults.length = 0;
        // A worker repeats what has failed.
        await applyChange(provider, each.change, send);
        break;
      }
      case 'batch': {
        const suited = each.changes.filter((change) => provider.batch?.suits(change));
        for (const { email, consent } of suited) if (consent?.given) consented.add(email);
        if (suited.length === 0) break;
        const request = provider.batch!.plan(suited);
        provider.readBatch(request, await send(request), suited, credentialOf(id));
      }
    }
    for (const person of people) {
      const contact = fake.contacts.get(person.toLowerCase());
      if (left.has(person) && contact?.consent !== 'left')
        throw new Error(`${person} had left and came back.`);
      for (const list of contact?.leftLists ?? []) {
        if (!contact!.lists.has(list)) continue;
        if (!mayRejoin(each, person, list)) throw new Error(`${person} had left list ${list} and came back.`);
        contact!.leftLists.delete(list);
      }
      const isListed = contact?.consent === 'given' || (contact?.lists.size ?? 0) > 0;
      if (isListed && !consented.has(person)) throw new Error(`${person} was listed without consent.`);
    }
  }
}

function step({ text, name, number, lists, event }: Samples): fc.Arbitrary<Step> {
  const person = fc.constantFrom(...people);
  const policy = fc.constantFrom('always' as const, 'if_empty' as const, 'at_creation' as const);
  const field = fc.oneof(
    fc.record({ key: fc.constantFrom(text, name), value: fc.constantFrom('', 'Ada', 'Zoë 🎉'), policy }),
    fc.record({ key: fc.constant(number), value: fc.nat(100), policy }),
  );
  const some = (names: readonly string[]): fc.Arbitrary<{ add: string[]; remove: string[] }> =>
    fc.record({ add: fc.subarray([...names]), remove: fc.subarray([...names]) }).map(({ add, remove }) => ({
      add,
      remove: remove.filter((each) => !add.includes(each)),
    }));
  const change: fc.Arbitrary<ContactChange> = fc
    .record({
      email: person,
      fields: fc.uniqueArray(field, { maxLength: 3, selector: ({ key }) => key }),
      tags: some(['attended', 'missed']),
      lists: some(lists),
      isEvent: fc.boolean(),
      consent: fc.constantFrom(undefined, true, false),
      isBackfill: fc.boolean(),
    })
    .map(({ isEvent, consent, ...rest }) =>
      exampleChange({
        ...rest,
        consent: consent === undefined ? undefined : { given: consent, at: new Date(0) },
        events:
          isEvent && event !== undefined
            ? [{ id: '11111111-1111-4111-8111-111111111111', name: event, at: new Date(0), properties: {} }]
            : [],
      }),
    );
  const fault = fc.constantFrom<Fault[]>('none', 'none', 'lost', 'unavailable', 'rate_limited');
  const kind = fc.constantFrom('leave' as const, 'leave' as const, 'come_back' as const, 'erase' as const);
  return fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('change' as const),
        change,
        faults: fc.array(fault, { maxLength: 4 }),
        leavesAt: fc.option(fc.nat(9), { nil: undefined, freq: 2 }),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('batch' as const),
        changes: fc.uniqueArray(change, { minLength: 1, selector: ({ email }) => email }),
      }),
    },
    { weight: 2, arbitrary: fc.record({ kind, person }) },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('leave_list' as const),
        person,
        list: fc.constantFrom(...lists),
      }),
    },
  );
}
