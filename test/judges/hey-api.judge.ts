// As an integrator with @hey-api/openapi-ts: a client from the served document, compiled strictly, that does the main job.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestAccount, createTestKey, testApi, type TestApi } from '../support/api.ts';
import { createProgramFolder, mainJobResult, type ProgramFolder } from '../support/program-folder.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';
import { testWorker } from '../support/worker.ts';
import { judgeProgram } from './judge-program.ts';

interface HeyApi {
  createClient(settings: object): Promise<unknown>;
}

const library = pathToFileURL(judgeProgram('@hey-api/openapi-ts/dist/index.mjs')).href;
const { createClient } = (await import(library)) as HeyApi;

let service: TestApi;
let worker: AsyncDisposable;
let receiver: Receiver;
let folder: ProgramFolder;

beforeAll(async () => {
  service = await testApi();
  worker = await testWorker(service.db.url);
  receiver = await startReceiver();
  folder = await createProgramFolder();
  const document = await (await fetch(`${service.baseUrl}/api/v1/openapi.json`)).text();
  await folder.write('openapi.json', document);
  await createClient({
    input: join(folder.path, 'openapi.json'),
    output: { path: join(folder.path, 'client'), module: { extension: '.ts' } },
    plugins: ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch'],
    logs: { level: 'silent' },
  });
});
afterAll(async () => {
  await folder[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
  await worker[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
});

const mainJob = `
import { client } from './client/client.gen.ts';
import * as api from './client/sdk.gen.ts';
import type { AutomationActionInput, CreateWebinarInput, Delivery, DeliveryStatus, TriggerInput } from './client/types.gen.ts';

const [baseUrl, auth, receiverUrl] = process.argv.slice(2) as [string, string, string];
client.setConfig({ baseUrl, auth });
const throwOnError = true;

const me = await api.getMe({ throwOnError });
const body: CreateWebinarInput = { title: 'Launch', schedule: { onDemand: true } };
const draft = await api.createWebinar({ body, throwOnError });
const path = { webinarId: draft.data.data.id };
const webinar = await api.publishWebinar({ path, throwOnError });

const action: AutomationActionInput = { type: 'webhook', url: receiverUrl };
const trigger: TriggerInput = { type: 'chat_response', params: { keywords: ['price'] } };
const rule = await api.createAutomation({ path, body: { name: 'Questions', trigger, action }, throwOnError });
const created = rule.data.data.trigger;
const match = created.type === 'chat_response' ? created.params.match : undefined;

const webhook = await api.createWebhook({
  path,
  headers: { 'Idempotency-Key': 'subscribe-1' },
  body: { url: receiverUrl, eventTypes: ['registered'] },
  throwOnError,
});
const registered = await api.createRegistration({
  path,
  body: { name: 'Ada Lovelace', email: 'ada@example.com' },
  throwOnError,
});

let delivery: Delivery | undefined;
const running: DeliveryStatus[] = ['queued', 'delivering', 'retrying'];
for (let tries = 0; tries < 300 && (!delivery || running.includes(delivery.status)); tries++) {
  await new Promise<void>((resolve) => void setTimeout(resolve, 100));
  const page = await api.listWebhookDeliveries({
    path: { ...path, webhookId: webhook.data.data.id },
    throwOnError,
  });
  [delivery] = page.data.data;
}
const registration = await api.getRegistration({
  path: { ...path, registrationId: registered.data.data.id },
  throwOnError,
});
const missing = await api.getWebinar({ path: { webinarId: registered.data.data.id } });

console.log(JSON.stringify({
  surfaces: me.data.data.key?.surfaces,
  title: webinar.data.data.title,
  match,
  secret: webhook.data.data.secret.slice(0, 6),
  delivery: [delivery?.eventType, delivery?.status],
  email: registration.data.data.email,
  refusal: missing.error?.code,
}));
`;

test('a client of hey-api compiles and does its job', async () => {
  const { accountId } = await createTestAccount(service);
  const { key } = await createTestKey(service, accountId);
  expect(await folder.compile(mainJob)).toEqual([]);
  expect(await folder.run([`${service.baseUrl}/api/v1`, key, receiver.url])).toEqual(mainJobResult);
});

test('no type of the client has a number to keep it apart from another', async () => {
  const types = await readFile(join(folder.path, 'client/types.gen.ts'), 'utf8');
  const names = [...types.matchAll(/^export type (\w+)/gm)].map(([, name]) => name!);
  expect(names.length).toBeGreaterThan(500);
  expect(names.filter((name) => /\d/.test(name))).toEqual([]);
});

test('a misspelt field of a body does not compile', async () => {
  const lines = await folder.compile(`
import { createRegistration } from './client/sdk.gen.ts';
await createRegistration({ path: { webinarId: '' }, body: { name: 'Ada', emial: 'ada@example.com' } });
`);
  expect(lines.map((line) => /program\.ts\((\d+),/.exec(line)?.[1])).toEqual(['3']);
});
