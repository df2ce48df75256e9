import { expect, test } from 'vitest';
import { createTestWorld, testApi } from '../support/api.ts';
import { openShop, postToDoor, signGeneric, signStripe } from '../support/shop.ts';
import { postMcp } from '../support/mcp.ts';

// It does not end. A parser that read it would find that it is no JSON, so these answers show that the depth was counted before.
const deep = `{"a":"]","b":${'['.repeat(50_000)}`;

test('a body that is nested too deeply is refused before it is parsed, at every address', async () => {
  await using service = await testApi();
  const world = await createTestWorld(service);
  const { key, webinar } = world;
  const shop = await openShop(service, world);
  const headers = { Authorization: `Bearer ${key}` };
  const post = (path: string, given: Record<string, string> = {}) =>
    postToDoor(service, path, { body: deep, headers: given });
  const malformed = {
    status: 400,
    json: { code: 'malformed_request', issues: [{ path: 'body', message: 'Nested too deeply.' }] },
  };

  expect(await post(`/api/v1/webinars/${webinar.id}/registrations`, headers)).toMatchObject(malformed);
  const signed = { 'x-service-signature': signGeneric(shop.secrets.generic, deep) };
  expect(await post(shop.paths.generic, signed)).toMatchObject(malformed);
  const stripe = await post(shop.paths.stripe, { 'stripe-signature': signStripe(shop.secrets.stripe, deep) });
  expect(stripe.json).toEqual(
    (await post(shop.paths.stripe, { 'stripe-signature': signStripe(shop.secrets.stripe, deep) })).json,
  );

  const call = await shop.owner.send('webinars.create', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: deep,
  });
  expect([call.status, call.json.error.data]).toMatchObject([400, malformed.json]);

  const rpc = await postMcp(service, deep, { key });
  expect(rpc.status).toBe(400);
  expect(rpc.response.error).toMatchObject({
    code: -32600,
    message: expect.stringContaining('Nested too deeply.'),
  });

  const client = await postToDoor(service, '/oauth/register', { body: deep.slice(0, 10_000), headers: {} });
  expect([client.status, client.json]).toEqual([
    400,
    { error: 'invalid_client_metadata', error_description: 'The body is nested too deeply.' },
  ]);
});
