import { expect, test } from 'vitest';
import {
  applyChange,
  createFake,
  createFakeSend,
  exampleChange,
  providerOf,
  type ToolFake,
} from '../../testing/index.ts';

const mailchimp = providerOf('mailchimp');
const email = exampleChange().email;
const yes = { given: true, at: new Date(0) };

async function consentAfter(
  change: Parameters<typeof exampleChange>[0],
  setUp: (fake: ToolFake) => void = () => undefined,
): Promise<string | undefined> {
  const fake = createFake('mailchimp');
  setUp(fake);
  await applyChange(mailchimp, exampleChange(change), createFakeSend('mailchimp', fake));
  return fake.contacts.get(email)?.consent;
}

test('a new contact is subscribed only with consent, and asked to confirm where the audience demands it', async () => {
  expect(await consentAfter({ consent: yes })).toBe('given');
  expect(await consentAfter({ consent: yes }, (fake) => (fake.isDoubleOptIn = true))).toBe('pending');
  expect(await consentAfter({ consent: { given: false, at: new Date(0) } })).toBe('none');
  // Its subscription would start automations for people of the past.
  expect(await consentAfter({ consent: yes, isBackfill: true })).toBe('none');
});

test('a change never writes the status of a contact that exists', async () => {
  for (const consent of ['none', 'pending', 'given', 'left'] as const)
    expect(await consentAfter({ consent: yes }, (fake) => (fake.contact(email).consent = consent))).toBe(
      consent,
    );
});

test('a contact that was deleted permanently stays out', async () => {
  const fake = createFake('mailchimp');
  fake.erased.push(email);
  const steps = await applyChange(
    mailchimp,
    exampleChange({ consent: yes }),
    createFakeSend('mailchimp', fake),
  );
  expect(steps.at(-1)!.outcome).toMatchObject({ kind: 'left' });
});

test('only the data centre at the end of a key becomes part of the address', () => {
  const key = '0123456789abcdef0123456789abcdef-us19';
  const parse = (text: string): boolean =>
    mailchimp.credential.safeParse({ key: text, audience: 'a1b2c3d4e5' }).success;
  expect(mailchimp.baseUrl({ key, audience: 'a1b2c3d4e5' })).toBe(
    'https://us19.api.mailchimp.com/3.0/lists/a1b2c3d4e5',
  );
  expect(parse(key)).toBe(true);
  for (const bad of ['evil.example/', 'us19.evil', '', 'us'])
    expect(parse(`${key.split('-')[0]}-${bad}`)).toBe(false);
});
