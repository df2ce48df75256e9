// Values and the types of the fields that they are written into.
import type { ProviderId } from '@service/marketing-providers';
import { credentialOf } from '@service/marketing-providers/testing';
import { expect, test } from 'vitest';
import { refusalWithIssues } from '../connections/connections-world.ts';
import { openDashboard } from '../support/dashboard.ts';
import { allInStep, contactOf, createContactsWorld, type ContactsWorld } from './contacts-world.ts';

const readCatalogue = ({ world, connectionId }: ContactsWorld) =>
  world.service.api.service.connections.marketing.readCatalogue(world.accountId, connectionId, {
    isFresh: true,
  });

const mapping = (key: string) => ({ key, policy: 'always' as const });

test.each<[ProviderId, { date: string; text: string }]>([
  ['hubspot', { date: 'seen_on', text: 'last_webinar' }],
  ['brevo', { date: 'SEEN', text: 'LAST_WEBINAR' }],
])('%s gets values in the form of its fields', async (tool, { date, text }) => {
  await using contacts = await createContactsWorld({
    tool,
    sync: { fields: { registeredAt: mapping(date), watchedPercent: mapping(text) } },
  });
  await readCatalogue(contacts);
  await contacts.world.register();
  await contacts.send();
  expect(contactOf(contacts)?.fields).toEqual({
    [date]: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    [text]: '0',
  });
  expect(await contacts.sends()).toMatchObject([{ outcome: 'done', reason: null }]);
});

test('a value that does not fit its field, and tags for a tool without tags, are refused when they are saved, and the answer names each line', async () => {
  await using contacts = await createContactsWorld({ tool: 'hubspot' });
  const { world, connectionId, fake } = contacts;
  const { service } = world;
  const fields = { lastWebinar: mapping('watched_percent'), registeredAt: mapping('seen_on') };
  const issues = {
    'sync.fields.lastWebinar.key':
      '"Last webinar" does not fit: the value is a text, and the field takes a number.',
    'sync.tags.use': 'HubSpot has no tags.',
  };
  const refused = (procedure: string, input: object) =>
    refusalWithIssues({ service, account: world }, procedure, input);
  const changed = { connectionId, name: 'HubSpot', sync: { ...allInStep, fields } };
  expect((await refused('connections.changeSync', changed)).issues).toEqual(issues);
  const connected = {
    provider: 'hubspot',
    credential: credentialOf('hubspot'),
    baseUrl: fake.baseUrl,
    sync: { ...allInStep, fields },
  };
  expect((await refused('connections.connectTool', connected)).issues).toEqual(issues);
  const owner = await openDashboard(service, world);
  expect(await owner.query('connections.list', {})).toHaveLength(1);

  const { status, json } = await world.call('POST /automations', {
    name: 'Mine',
    trigger: { type: 'registered' },
    actions: [
      {
        type: 'integration',
        connectionId,
        fields: [
          { key: 'seen_at', from: 'registered_at' },
          { key: 'watched_percent', from: 'webinar_title' },
          { key: 'watched_percent', value: '75' },
          { key: 'seen_on', value: 'yesterday' },
          { key: 'made_later', from: 'name' },
        ],
      },
    ],
  });
  expect([status, json.issues]).toEqual([
    422,
    [
      {
        path: 'actions.0.fields.1.from',
        message: 'Does not fit "watched_percent": the value is a text, and the field takes a number.',
      },
      { path: 'actions.0.fields.3.value', message: 'Does not fit "seen_on": the field takes a date.' },
    ],
  ]);
});
