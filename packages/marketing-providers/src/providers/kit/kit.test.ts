import { expect, test } from 'vitest';
import { applyChange, createFake, createFakeSend, exampleChange, providerOf } from '../../testing/index.ts';

const kit = providerOf('kit');
const { email } = exampleChange();
const given = { given: true, at: new Date(0) };

test('a new subscriber is active only with consent, and one that exists keeps its state', async () => {
  for (const consent of [given, { given: false, at: new Date(0) }, undefined]) {
    const fake = createFake('kit');
    const send = createFakeSend('kit', fake);
    await applyChange(kit, exampleChange({ consent }), send);
    expect(fake.contacts.get(email)!.consent).toBe(consent?.given ? 'given' : 'none');
    // Consent that is given or taken away later is not written.
    for (const state of ['none', 'given', 'left'] as const) {
      fake.contacts.get(email)!.consent = state;
      await applyChange(kit, exampleChange({ consent }), send);
      expect(fake.contacts.get(email)!.consent).toBe(state);
    }
  }
});

test('a tag costs one call when its id is known', () => {
  const change = exampleChange({ tags: { add: ['attended'], remove: [] }, consent: given });
  const steps = kit
    .plan(change, { done: new Set(), learnt: { 'tag:attended': '7' } })
    .map(({ step }) => step);
  expect(steps).toEqual(['contact', 'tag:attended']);
});
