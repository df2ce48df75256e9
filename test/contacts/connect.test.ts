import { credentialOf, startFake } from '@service/marketing-providers/testing';
import { expect, test } from 'vitest';
import { openDashboard, refusalOf } from '../support/dashboard.ts';
import { createWorld } from '../support/world.ts';
import { allInStep } from './contacts-world.ts';

async function openTool(tool: 'klaviyo' | 'hubspot') {
  const world = await createWorld();
  const fake = await startFake(tool);
  const owner = await openDashboard(world.service, world);
  const input = { provider: tool, credential: credentialOf(tool), baseUrl: fake.baseUrl };
  return {
    world,
    fake,
    owner,
    input,
    async [Symbol.asyncDispose]() {
      await fake[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}

test('a tool is connected by a real call, with a proposal of what to keep in step, and no answer contains its key', async () => {
  await using tool = await openTool('klaviyo');
  const { world, fake, owner, input } = tool;
  const wrongKey = { key: `pk_${'0'.repeat(34)}` };
  expect(await refusalOf(owner.mutate('connections.connectTool', { ...input, credential: wrongKey }))).toBe(
    'credential_refused',
  );
  const made = await owner.mutate('connections.connectTool', { ...input, sync: 'all' });
  expect(made).toMatchObject({
    account: 'Acme',
    connection: {
      kind: 'marketing',
      state: 'connected',
      isDefault: false,
      credentialLast4: fake.key!.slice(-4),
      settings: { from: null, sync: { enabled: true, fields: { lastWebinar: { key: 'Last webinar' } } } },
    },
  });
  const listed = await world.rest('GET /connections');
  expect(listed.json.data).toMatchObject([{ id: made.connection.id, waiting: { people: 0 } }]);
  expect(listed.text).not.toContain(fake.key);
  await owner.mutate('connections.connectTool', { ...input, name: 'Another account' });
  expect((await world.rest('GET /connections')).json.data).toHaveLength(2);
});

test('a key is replaced after its verification, and a key that lacks rights needs attention', async () => {
  await using tool = await openTool('hubspot');
  const { fake, owner, input } = tool;
  fake.lacksRights = true;
  const { connection } = await owner.mutate('connections.connectTool', input);
  expect(connection).toMatchObject({ state: 'attention' });
  const { id: connectionId } = connection;
  fake.lacksRights = false;
  const replaced = await owner.mutate('connections.replaceCredential', {
    connectionId,
    credential: input.credential,
    baseUrl: fake.baseUrl,
  });
  expect(replaced.connection).toMatchObject({ state: 'connected', kind: 'marketing' });
  expect(await refusalOf(owner.mutate('connections.makeDefault', { connectionId }))).toBe(
    'connection_not_found',
  );
});

test('fields are made in the tool with one call, and a mapping to a field of another type is refused', async () => {
  await using tool = await openTool('hubspot');
  const { fake, owner, input } = tool;
  const { connection } = await owner.mutate('connections.connectTool', { ...input, sync: 'all' });
  const connectionId = connection.id;
  expect(connection.settings.sync.fields).toEqual({});
  const { fields } = (await owner.mutate('connections.createFields', { connectionId })).settings.sync;
  expect(Object.keys(fields)).toHaveLength(6);
  expect(fake.fields.has(fields.watchedPercent.key)).toBe(true);
  const catalogue = await owner.query('connections.catalogue', { connectionId });
  expect(catalogue.fields.map(({ key }: { key: string }) => key)).toContain(fields.watchedPercent.key);
  const sync = { ...allInStep, fields: { lastWebinar: fields.watchedPercent } };
  expect(
    await refusalOf(owner.mutate('connections.changeSync', { connectionId, name: 'HubSpot', sync })),
  ).toBe('validation_failed');
});
