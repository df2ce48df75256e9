// The parts that the tests of the contract share: fakes of a tool, and a change that uses everything that the tool has.
import type { ContactChange, FieldValue, MarketingProvider, ProviderId } from './index.ts';
import {
  applyChange,
  createFake,
  createFakeSend,
  createTestContext,
  credentialOf,
  exampleChange,
  type RunningFake,
  samplesOf,
  type Send,
  startFake,
} from './testing/index.ts';

export const at = new Date('2026-12-01T17:00:00Z');
export const given = { given: true, at };
export const unicode = 'Grüße, 日本語 🎉 "quoted" <b>&\\';
const eventOf = (name: string) => ({
  id: '0192f1a0-0000-7000-8000-000000000001',
  name,
  at,
  properties: { webinar: unicode, minutes: 42, replay: false },
  value: { amount: 49.5, currency: 'EUR' },
});

export const always = (key: string, value: FieldValue) => ({ key, value, policy: 'always' as const });
export const kinds = (steps: { outcome: { kind: string } }[]): string[] =>
  steps.map(({ outcome }) => outcome.kind);

/** The parts for one tool. */
export function openContract(provider: MarketingProvider<unknown, ProviderId>) {
  const { id } = provider;
  const samples = samplesOf(id);
  const credential = provider.credential.parse(credentialOf(id));
  /** A fake that is called without a network. */
  const open = () => {
    const fake = createFake(id);
    const send = createFakeSend(id, fake);
    const apply = (changes: Partial<ContactChange>) => applyChange(provider, exampleChange(changes), send);
    const contact = () => fake.contacts.get(exampleChange().email);
    return { fake, send, apply, contact };
  };
  /** A fake that is called over HTTP. */
  const openServer = async (): Promise<{
    fake: RunningFake;
    context: ReturnType<typeof createTestContext>;
    send: Send;
  }> => {
    const fake = await startFake(id);
    const context = createTestContext(fake);
    return { fake, context, send: (request) => provider.send(request, credential, context) };
  };
  const full: Partial<ContactChange> = {
    fields: [
      always(samples.text, 'Demo'),
      always(samples.number, 75),
      { key: samples.name, value: 'Ada', policy: 'if_empty' },
    ],
    tags: { add: ['attended'], remove: ['missed'] },
    lists: { add: [samples.lists[0]], remove: [samples.lists[1]] },
    events: samples.event === undefined ? [] : [eventOf(samples.event)],
    consent: given,
  };
  return { samples, credential, open, openServer, full };
}
