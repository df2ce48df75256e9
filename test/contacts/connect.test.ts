import { expect, test } from 'vitest';
import { credentialOf, startFake } from '@service/marketing-providers/testing';
import { openDashboard } from '../support/dashboard.ts';
import { createWorld } from '../support/world.ts';
import { allInStep } from './contacts-world.ts';

async function openTool(tool: 'klaviyo' | 'hubspot') {
  const world = await createWorld();
  const fake = await startFake(tool);
  const { connections } = await openDashboard(world.service, world);
  const input = { provider: tool, credential: credentialOf(tool), baseUrl: fake.baseUrl };
  return {
    world,
    fake,
    connections,
    input,
    async [Symbol.asyncDispose]() {
      await fake[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}

test('a tool is connected by a real call, with a proposal of what to keep in step, and no answer contains its key', async () => {
  await using tool = await openTool('klaviyo');
  const { world, fake, connections, input } = tool;
  await expect(
    connections.connectTool.mutate({ ...input, credential: { key: 'pk_wrong_key_0000000000000000000000' } }),
  ).rejects.toMatchObject({ message: expect.stringContaining('refused') });
  const { data } = await connections.connectTool.mutate({ ...input, sync: 'all' });
  expect(data).toMatchObject({
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
  expect(listed.json.data).toMatchObject([{ id: data.connection.id, waiting: { people: 0 } }]);
  expect(listed.text).not.toContain(fake.key);
  await connections.connectTool.mutate({ ...input, name: 'Another account' });
  expect((await world.rest('GET /connections')).json.data).toHaveLength(2);
});

test('a key is replaced after its verification, and a key that lacks rights needs attention', async () => {
  await using tool = await openTool('hubspot');
  const { fake, connections, input } = tool;
  fake.lacksRights = true;
  const { data } = await connections.connectTool.mutate(input);
  expect(data.connection).toMatchObject({ state: 'attention' });
  const connectionId = data.connection.id;
  fake.lacksRights = false;
  const replaced = await connections.replaceCredential.mutate({
    connectionId,
    credential: input.credential,
    baseUrl: fake.baseUrl,
  });
  expect(replaced.data.connection).toMatchObject({ state: 'connected', kind: 'marketing' });
  await expect(connections.makeDefault.mutate({ connectionId })).rejects.toThrow();
});

test('fields are made in the tool with one call, and a mapping to a field of another type is refused', async () => {
  await using tool = await openTool('hubspot');
  const { fake, connections, input } = tool;
  const { data } = await connections.connectTool.mutate({ ...input, sync: 'all' });
  const connectionId = data.connection.id;
  expect(data.connection.settings.sync!.fields).toEqual({});
  const made = (await connections.createFields.mutate({ connectionId })).data.settings.sync!;
  expect(Object.keys(made.fields)).toHaveLength(6);
  expect(fake.fields.has(made.fields.watchedPercent!.key)).toBe(true);
  const { data: catalogue } = await connections.catalogue.query({ connectionId });
  expect(catalogue.fields.map(({ key }) => key)).toContain(made.fields.watchedPercent!.key);
  const wrong = {
    ...allInStep,
    fields: { lastWebinar: { ...made.fields.watchedPercent!, policy: 'always' } },
  };
  await expect(
    connections.changeSync.mutate({ connectionId, name: 'HubSpot', sync: wrong as typeof allInStep }),
  ).rejects.toMatchObject({ message: expect.any(String) });
});
