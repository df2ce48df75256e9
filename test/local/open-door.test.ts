import { environment, readConfig } from '@service/config';
import { readLocalConfig } from '@service/local';
import { expect, test } from 'vitest';
import { callRest, createTestWorld, testApi } from '../support/api.ts';
import { startReceiver } from '../support/receiver.ts';

/** An API with the rules that npm start gives its processes under these variables. */
async function startAsLocal(variables: Record<string, string>) {
  const local = readLocalConfig(variables);
  const { WEBHOOK_ALLOWED_CIDRS, WEBHOOK_ALLOW_HTTP } = readConfig(
    environment.pick({ WEBHOOK_ALLOWED_CIDRS: true, WEBHOOK_ALLOW_HTTP: true }),
    {
      WEBHOOK_ALLOWED_CIDRS: local.webhookAllowedCidrs,
      WEBHOOK_ALLOW_HTTP: local.webhookAllowHttp,
    },
  );
  return await testApi({
    options: {
      hosts: local.hosts,
      webhookAllowedCidrs: WEBHOOK_ALLOWED_CIDRS,
      webhookAllowHttp: WEBHOOK_ALLOW_HTTP,
    },
  });
}

async function subscribe(variables: Record<string, string>): Promise<number> {
  await using service = await startAsLocal(variables);
  await using receiver = await startReceiver();
  const { key, webinar } = await createTestWorld(service);
  const body = { url: receiver.url, eventTypes: ['registered'] };
  return (await callRest(service, `POST /webinars/${webinar.id}/webhooks`, { key, body })).status;
}

test('a service that other machines can reach sends webhooks to its own machine only if WEBHOOK_ALLOWED_CIDRS names it', async () => {
  expect(await subscribe({})).toBe(201);
  expect(await subscribe({ HOST: '0.0.0.0' })).toBe(422);
  expect(await subscribe({ HOST: '0.0.0.0', WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8,::1/128' })).toBe(201);
  expect(await subscribe({ WEBHOOK_ALLOWED_CIDRS: '' })).toBe(422);
});
