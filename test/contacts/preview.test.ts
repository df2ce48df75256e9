import type { ProviderId } from '@service/marketing-providers';
import { expect, test } from 'vitest';
import { openDashboard, refusalOf } from '../support/dashboard.ts';
import { allInStep, createContactsWorld } from './contacts-world.ts';

async function openPreview(options?: Parameters<typeof createContactsWorld>[0]) {
  const contacts = await createContactsWorld(options);
  const { world, connectionId } = contacts;
  const owner = await openDashboard(world.service, world);
  const saved = { ...allInStep, ...options?.sync };
  return {
    ...contacts,
    owner,
    preview: (sync: object) =>
      owner.mutate('contacts.preview', { connectionId, sync: { ...saved, ...sync } }),
    [Symbol.asyncDispose]: () => contacts[Symbol.asyncDispose](),
  };
}

test.each<[ProviderId, { key: string; scheme: string }]>([
  ['klaviyo', { key: 'registered_at', scheme: 'Klaviyo-API-Key' }],
  // The field takes a date, and the value is a moment.
  ['hubspot', { key: 'seen_on', scheme: 'Bearer' }],
])(
  'the preview of %s shows the requests that are sent afterwards, with the key masked',
  async (tool, { key, scheme }) => {
    const fields = { registeredAt: { key, policy: 'always' as const } };
    await using contacts = await openPreview({ tool, sync: { fields } });
    const { world, fake, owner, preview, connectionId } = contacts;
    await owner.query('connections.catalogue', { connectionId });
    await world.register('ada@example.com');
    // The tool has the contact from here on.
    await contacts.send();
    const earlier = fake.requests.length;
    const people = await preview({});
    expect(people).toMatchObject([
      {
        name: 'ada',
        email: 'ada@example.com',
        values: { lastWebinar: 'Launch', watchedPercent: 0, registeredAt: expect.stringMatching(/Z$/) },
        tags: ['registered'],
      },
    ]);
    const { requests, registrationId } = people[0];
    for (const { headers } of requests) expect(headers).toMatchObject({ authorization: `${scheme} ***` });
    expect(JSON.stringify(people)).not.toContain(fake.key);
    expect(fake.requests).toHaveLength(earlier);
    await owner.mutate('contacts.sendNow', { connectionId, registrationId });
    await contacts.send();
    const sent = fake.requests.slice(earlier);
    const essence = ({ method, body }: { method: string; body?: unknown }) => [method, body ?? null];
    expect(requests.map(essence)).toEqual(sent.map(essence));
    expect(new URL(requests[0].url).pathname).toBe(sent[0]!.path);
    expect(JSON.stringify(sent.at(-1)!.body)).toContain(key);
  },
);

test('the preview follows settings that are not saved, and shows the five latest people once each', async () => {
  await using contacts = await openPreview();
  const { world, preview } = contacts;
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) await world.register(`${name}@example.com`);
  const emails = (people: { email: string }[]) => people.map(({ email }) => email[0]).join('');
  expect(emails(await preview({}))).toBe('fedcb');
  const leftOut = await preview({ domainsLeftOut: ['example.com'] });
  expect(leftOut[0]).toMatchObject({ requests: [], values: { lastWebinar: 'Launch' } });
  const renamed = await preview({ fields: { lastWebinar: { key: 'other' } } });
  expect(renamed[0].requests[0].body.data.attributes.properties).toEqual({ other: 'Launch' });
});

test('"send now" sends one person through the queue, and the history names the call that asked for it', async () => {
  await using contacts = await openPreview();
  const { world, owner, connectionId, fake } = contacts;
  const registrationId = await world.register();
  await contacts.send();
  fake.contacts.clear();
  const { causeId } = await owner.mutate('contacts.sendNow', { connectionId, registrationId });
  await contacts.send();
  expect([...fake.contacts.keys()]).toEqual(['ada@example.com']);
  const { json } = await world.rest(`GET /connections/${connectionId}/sends`);
  expect(json.data[0]).toMatchObject({ registrationId, causes: [causeId], outcome: 'done' });
  const sendNow = (input: object) =>
    refusalOf(owner.mutate('contacts.sendNow', { connectionId, registrationId, ...input }));
  expect(await sendNow({ registrationId: crypto.randomUUID() })).toBe('registration_not_found');
  await contacts.sql(
    `update connections.connection set settings = jsonb_set(settings, '{sync,enabled}', 'false')`,
  );
  expect(await sendNow({})).toBe('nothing_in_step');
  const neighbour = await world.neighbour();
  const stranger = await openDashboard(world.service, neighbour);
  const foreign = { connectionId, registrationId };
  expect(await refusalOf(stranger.mutate('contacts.sendNow', foreign))).toBe('tool_not_found');
  expect(await refusalOf(stranger.mutate('contacts.preview', { connectionId, sync: allInStep }))).toBe(
    'tool_not_found',
  );
});
