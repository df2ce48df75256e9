import { expect, test } from 'vitest';
import {
  createTestContext,
  credentialOf,
  exampleChange,
  providerOf,
  startFake,
} from '../../testing/index.ts';

const brevo = providerOf('brevo');
const credential = credentialOf('brevo');
const given = { given: true, at: new Date(0) };

test('a contact that left one list is added to the others', () => {
  const change = exampleChange({ lists: { add: ['1', '2', '3'], remove: [] }, consent: given });
  const json = { id: 7, emailBlacklisted: false, listIds: [2], listUnsubscribed: [1] };
  const request = brevo.plan(change, { done: new Set(['contact']), learnt: {} })[0]!;
  const outcome = brevo.read(request, { status: 200, headers: {}, json, text: '' }, change, credential);
  if (outcome.kind !== 'done') throw new Error(outcome.kind);
  const rest = brevo.plan(change, { done: new Set(['contact', 'lists']), learnt: outcome.learnt! });
  expect(rest.map(({ step }) => step)).toEqual(['list:3']);
});

test('the name of an event has the characters that Brevo takes', () => {
  const nameOf = (name: string): unknown => {
    const event = { id: 'e1', name, at: new Date(0), properties: {} };
    const requests = brevo.plan(exampleChange({ events: [event] }), { done: new Set(), learnt: {} });
    return requests.find(({ step }) => step === 'event:e1')!.body;
  };
  expect(nameOf('Überraschung: 50 % gesehen')).toMatchObject({ event_name: 'Uberraschung_50_gesehen' });
  expect(nameOf('x'.repeat(300))).toMatchObject({ event_name: 'x'.repeat(255) });
});

test('a key that works from other IP addresses is not dead', async () => {
  await using fake = await startFake('brevo');
  await using context = createTestContext(fake);
  const message = 'We have detected you are using an unrecognised IP address 192.0.2.1.';
  fake.faults.push({ status: 401, body: { code: 'unauthorized', message } });
  expect(await brevo.verify(credential, context)).toMatchObject({ kind: 'not_allowed' });
});
