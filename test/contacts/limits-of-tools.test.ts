// Many registrations in a minute, at the documented limits of each tool, on a clock that jumps. `npm run bench -- tool-limits` has 10,000.
import { marketingProviders, type ProviderId } from '@service/marketing-providers';
import { samplesOf } from '@service/marketing-providers/testing';
import { expect, test } from 'vitest';
import { createWorld } from '../support/world.ts';
import { simulateTool } from '../support/simulate-tool.ts';
import { createContactsWorld } from './contacts-world.ts';

const people = 100;

interface Expected {
  /** Of these people, who have agreed, and those of the first people who ask at the same time for values that all share. */
  calls: number;
  /** From the last registration to the last answer. */
  seconds: number;
}

const expected: Record<ProviderId, Expected> = {
  klaviyo: { calls: people, seconds: 2 },
  hubspot: { calls: 2 * people, seconds: 15 },
  // The opt-in is asked for each time that the lane begins, and the lane ends when nothing is due.
  mailchimp: { calls: 4 * people - 20, seconds: 2 },
  activecampaign: { calls: 2 * people + 5, seconds: 15 },
  kit: { calls: 2 * people + 4, seconds: 65 },
  brevo: { calls: people, seconds: 2 },
};

test('registrations of a minute are at each tool as fast as its limits allow, with no call too many', async () => {
  await using world = await createWorld();
  const { connections, readRevenue } = world.service.api.service;
  for (const { id: tool } of marketingProviders) {
    const own = await world.neighbour();
    const sync = { fields: { lastWebinar: { key: samplesOf(tool).text, policy: 'always' as const } } };
    await using contacts = await createContactsWorld({ tool, sync, world: own });
    const registrations = Array.from({ length: people }, (_, index) => ({
      name: 'Ada',
      email: `person-${index}@example.com`,
      sessionTime: own.webinar.sessionTime,
      consent: { given: true },
    }));
    await own.create('/registrations/bulk', { registrations });
    const { fake, calls, drainedMs } = await simulateTool({
      database: world.service.db.database,
      marketing: connections.marketing,
      readRevenue,
      connectionId: contacts.connectionId,
      tool,
      arriveWithinMs: 60_000,
      answerMs: 250,
    });
    expect.soft(fake.contacts.size, tool).toBe(people);
    expect.soft(fake.overLimit, tool).toBe(0);
    expect.soft(calls, tool).toBeLessThanOrEqual(expected[tool].calls);
    expect.soft(drainedMs, tool).toBeLessThanOrEqual(expected[tool].seconds * 1000);
  }
});
