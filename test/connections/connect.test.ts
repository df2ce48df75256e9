import { expect } from 'vitest';
import {
  callRest,
  createTestAccount,
  createTestKey,
  createTestMember,
  createTestWorld,
} from '../support/api.ts';
import { openDashboard, refusalOf } from '../support/dashboard.ts';
import { insertConnection } from './connection-rows.ts';
import { refusalWithIssues, resendInput, test } from './connections-world.ts';
import { newKey } from './mail-provider.ts';

test('a key is verified by one real call, saved sealed, and shown by its last four characters only', async ({
  service,
  account,
  owner,
  provider,
}) => {
  const { accountId } = account;
  const made = await owner.mutate('connections.connect', resendInput(provider, { name: 'Our Resend' }));
  expect(provider.requests).toEqual([`GET /domains ${provider.key}`]);
  expect(made.connection).toMatchObject({
    kind: 'mail',
    provider: 'resend',
    name: 'Our Resend',
    state: 'connected',
    reason: null,
    isDefault: true,
    credentialLast4: provider.key.slice(-4),
    settings: { from: { name: 'Ada', address: 'ada@example.com' }, replyTo: null, baseUrl: provider.url },
  });
  const { key } = await createTestKey(service, accountId, { scopes: ['connections:read'] });
  const list = await callRest(service, 'GET /connections', { key });
  expect(list.json.data).toEqual([made.connection]);
  const one = await callRest(service, `GET /connections/${made.connection.id}`, { key });
  expect(one.json.data).toEqual(made.connection);

  await owner.mutate('connections.check', { connectionId: made.connection.id });
  const changes = await owner.query('connections.changes', {});
  const { rows } = await service.db.database.pool.query(
    `select (select json_agg(c)::text from connections.connection c) as connections,
       (select json_agg(c)::text from connections.connection_change c) as changes,
       (select json_agg(c)::text from activity.api_call c) as calls`,
  );
  const everything = JSON.stringify([made, list.text, one.text, changes, rows]);
  expect(everything).not.toContain(provider.key.slice(3, -4));
});

test('a refused key is not saved, and the answer has the words of the provider without the key', async ({
  service,
  account,
  owner,
  provider,
}) => {
  const wrong = newKey();
  const refusal = await refusalWithIssues(
    { service, account },
    'connections.connect',
    resendInput(provider, { credential: { key: wrong } }),
  );
  expect(refusal.code).toBe('credential_refused');
  expect(refusal.issues['credential']).toMatch(/^Resend: API key is invalid/);
  expect(refusal.text).not.toContain(wrong);
  expect(await owner.query('connections.list', {})).toEqual([]);
});

test('a provider that does not answer as expected refuses the connection', async ({
  service,
  account,
  provider,
}) => {
  for (const [status, body] of [
    [503, '{"message":"Service Unavailable"}'],
    [302, ''],
    [404, '<html>'],
  ] as const) {
    provider.override = (_request, response) =>
      void response.writeHead(status, { location: 'http://127.0.0.1:9/' }).end(body);
    const refusal = await refusalWithIssues(
      { service, account },
      'connections.connect',
      resendInput(provider),
    );
    expect(refusal.code, String(status)).toBe('provider_unreachable');
  }
});

test('all problems of an input are in one answer, and the provider is not asked', async ({
  service,
  account,
  provider,
}) => {
  const refuse = (input: object) => refusalWithIssues({ service, account }, 'connections.connect', input);
  const many = await refuse(
    resendInput(provider, {
      credential: { key: 'short' },
      baseUrl: 'ftp://example.com',
      from: { name: '', address: 'ada@gmail.com' },
    }),
  );
  expect(many.code).toBe('validation_failed');
  expect(Object.keys(many.issues).toSorted()).toEqual(['baseUrl', 'credential.key', 'from.address']);
  expect(many.issues['from.address']).toContain('Only Gmail may send mails from gmail.com');
  const fields = await refuse({
    provider: 'resend',
    credential: {},
    from: { name: 'A\nBcc: b@c.de', address: 'ada' },
  });
  expect(Object.keys(fields.issues).toSorted()).toEqual(['from.address', 'from.name']);
  expect((await refuse(resendInput(provider, { provider: 'mailchimp' }))).issues['provider']).toMatch(
    /^One of smtp/,
  );
  const smtp = {
    provider: 'smtp',
    credential: { host: 'smtp.example.com', port: 25 },
    from: { name: '', address: 'a@b.de' },
  };
  expect((await refuse({ ...smtp, baseUrl: 'https://example.com' })).issues).toMatchObject({
    'credential.port': expect.stringContaining('Port 25'),
    baseUrl: 'An SMTP server has no base URL.',
  });
  expect(provider.requests).toEqual([]);
});

test('a connection whose domain is not verified asks for attention until the provider has verified it', async ({
  owner,
  provider,
}) => {
  provider.domains = [{ name: 'example.com', status: 'pending' }];
  const { connection } = await owner.mutate('connections.connect', resendInput(provider));
  expect(connection).toMatchObject({
    state: 'attention',
    reason: 'The domain example.com is not verified at Resend yet.',
  });
  provider.domains = [{ name: 'example.com', status: 'verified' }];
  const checked = await owner.mutate('connections.check', { connectionId: connection.id });
  expect(checked).toMatchObject({ state: 'connected', reason: null });
});

test('another From address is checked with the provider, and a free mailbox is refused', async ({
  owner,
  provider,
}) => {
  const { connection } = await owner.mutate('connections.connect', resendInput(provider));
  const change = (address: string) =>
    owner.mutate('connections.changeSettings', {
      connectionId: connection.id,
      name: 'New',
      from: { name: 'Bo', address },
      replyTo: 'bo@example.org',
    });
  expect(await change('bo@example.com')).toMatchObject({
    name: 'New',
    state: 'connected',
    settings: {
      from: { name: 'Bo', address: 'bo@example.com' },
      replyTo: 'bo@example.org',
      baseUrl: provider.url,
    },
  });
  expect(await change('bo@example.org')).toMatchObject({ state: 'attention' });
  expect(await refusalOf(change('bo@gmail.com'))).toBe('validation_failed');
});

test('a new key is verified before it replaces the former one, and a refused one changes nothing', async ({
  service,
  account,
  owner,
  provider,
}) => {
  const { connections } = service.api.service;
  const reader = { query: service.db.database.query, accountId: account.accountId };
  const opened = async () => connections.openMailConnection((await connections.findMailConnection(reader))!);
  const { connection } = await owner.mutate('connections.connect', resendInput(provider));
  const former = provider.key;
  const replace = (key: string) =>
    owner.mutate('connections.replaceCredential', {
      connectionId: connection.id,
      credential: { key },
      baseUrl: provider.url,
    });
  expect(await refusalOf(replace(newKey()))).toBe('credential_refused');
  expect((await opened()).credential).toEqual({ key: former });
  expect((await opened()).version).toBe(1);

  provider.key = newKey();
  const replaced = await replace(provider.key);
  expect(replaced.connection).toMatchObject({ credentialLast4: provider.key.slice(-4), state: 'connected' });
  expect(await opened()).toMatchObject({ version: 2, credential: { key: provider.key } });
  const both = await Promise.all([refusalOf(replace(provider.key)), refusalOf(replace(provider.key))]);
  expect(both.toSorted()[0]).toBe('accepted');
  expect(['accepted', 'connection_changed', 'too_many_verifications']).toContain(both.toSorted()[1]);

  // A sealed credential opens with its own version only.
  await service.db.database.pool.query(
    'update connections.connection set credential_version = 9 where id = $1',
    [connection.id],
  );
  const found = await connections.findMailConnection(reader);
  expect(() => connections.openMailConnection(found!)).toThrow();
});

test('a workspace has ten connections at most, also when two are made at once', async ({
  service,
  account,
  owner,
  provider,
}) => {
  for (let made = 0; made < 9; made += 1) await insertConnection(service, account.accountId);
  const connect = () => refusalOf(owner.mutate('connections.connect', resendInput(provider)));
  expect((await Promise.all([connect(), connect()])).toSorted()).toEqual([
    'accepted',
    'too_many_connections',
  ]);
  provider.requests.length = 0;
  expect(await connect()).toBe('too_many_connections');
  expect(provider.requests).toEqual([]);
});

test('the first connection sends the mails; an owner chooses another one, and the oldest one follows a removed one', async ({
  service,
  account,
  owner,
}) => {
  const ids = [];
  for (let made = 0; made < 3; made += 1) ids.push(await insertConnection(service, account.accountId));
  const reader = { query: service.db.database.query, accountId: account.accountId };
  const sender = async () => (await service.api.service.connections.findMailConnection(reader))?.id;
  expect(await sender()).toBe(ids[0]);
  await owner.mutate('connections.makeDefault', { connectionId: ids[2] });
  expect(await sender()).toBe(ids[2]);
  await owner.mutate('connections.disconnect', { connectionId: ids[2] });
  expect(await sender()).toBe(ids[0]);
  await owner.mutate('connections.disconnect', { connectionId: ids[0] });
  await owner.mutate('connections.disconnect', { connectionId: ids[1] });
  expect(await sender()).toBeUndefined();
});

test('the history names who changed what, and stays when the connection is gone', async ({
  service,
  account,
  owner,
  provider,
}) => {
  const max = await openDashboard(service, await createTestMember(service, account.accountId));
  const { connection } = await owner.mutate('connections.connect', resendInput(provider, { name: 'Ours' }));
  const connectionId = connection.id;
  expect((await max.mutate('connections.pause', { connectionId })).state).toBe('paused');
  await max.mutate('connections.pause', { connectionId });
  expect((await max.mutate('connections.resume', { connectionId })).state).toBe('connected');
  await owner.mutate('connections.disconnect', { connectionId });
  const changes = await max.query('connections.changes', {});
  expect(
    changes.map((change: { kind: string; byName: string }) => [change.kind, change.byName === 'Max']),
  ).toEqual([
    ['disconnected', false],
    ['resumed', true],
    ['paused', true],
    ['connected', false],
  ]);
  expect(new Set(changes.map((change: { name: string }) => change.name))).toEqual(new Set(['Ours']));
});

test('only owners give, replace and remove credentials', async ({ service, account, provider }) => {
  const max = await openDashboard(service, await createTestMember(service, account.accountId));
  const connectionId = await insertConnection(service, account.accountId);
  for (const [procedure, input] of [
    ['connect', resendInput(provider)],
    ['replaceCredential', { connectionId, credential: { key: provider.key } }],
    ['changeReportSecret', { connectionId, secret: null }],
    ['changeSettings', { connectionId, name: 'x', from: { name: '', address: 'a@example.com' } }],
    ['makeDefault', { connectionId }],
    ['disconnect', { connectionId }],
  ] as const)
    expect(await refusalOf(max.mutate(`connections.${procedure}`, input)), procedure).toBe('owner_required');
  expect(provider.requests).toEqual([]);
});

test('a connection of another workspace is not found', async ({ service, owner, provider }) => {
  const theirs = await createTestAccount(service);
  const connectionId = await insertConnection(service, theirs.accountId);
  for (const [procedure, input] of [
    ['replaceCredential', { connectionId, credential: { key: provider.key }, baseUrl: provider.url }],
    ['changeReportSecret', { connectionId, secret: null }],
    ['changeSettings', { connectionId, name: 'x', from: { name: '', address: 'a@example.com' } }],
    ['check', { connectionId }],
    ['pause', { connectionId }],
    ['resume', { connectionId }],
    ['makeDefault', { connectionId }],
    ['disconnect', { connectionId }],
  ] as const)
    expect(await refusalOf(owner.mutate(`connections.${procedure}`, input)), procedure).toBe(
      'connection_not_found',
    );
  expect(await owner.query('connections.list', {})).toEqual([]);
  expect(provider.requests).toEqual([]);
});

test('a key needs the scope connections:read, which keys of former presets do not have', async ({
  service,
}) => {
  const { accountId, key } = await createTestWorld(service);
  await insertConnection(service, accountId);
  expect((await callRest(service, 'GET /connections', { key })).json.data).toHaveLength(1);
  const without = await createTestKey(service, accountId, { scopes: ['webinars:read', 'revenue:read'] });
  expect((await callRest(service, 'GET /connections', { key: without.key })).status).toBe(401);
});

test('the form of each sender has a text for every field, and marks its secret', async ({ owner }) => {
  const senders = await owner.query('connections.senders');
  expect(senders.map(({ provider }: { provider: string }) => provider)).toEqual([
    'smtp',
    'resend',
    'postmark',
    'sendgrid',
    'brevo',
  ]);
  for (const { provider, fields } of senders) {
    expect(
      fields.filter((field: { isSecret: boolean }) => field.isSecret),
      provider,
    ).toHaveLength(1);
    for (const { label, help } of fields) expect([label, help], provider).not.toContain('');
  }
});
