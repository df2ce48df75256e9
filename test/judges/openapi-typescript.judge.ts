// As an integrator: types that openapi-typescript makes of the served document, and a program on them, compiled and run.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestAccount, createTestKey, testApi, type TestApi } from '../support/api.ts';
import { createProgramFolder, mainJobResult, type ProgramFolder } from '../support/program-folder.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';
import { testWorker } from '../support/worker.ts';
import { judgeProgram } from './judge-program.ts';

let service: TestApi;
let worker: AsyncDisposable;
let receiver: Receiver;
let folder: ProgramFolder;

beforeAll(async () => {
  service = await testApi();
  worker = await testWorker(service.db.url);
  receiver = await startReceiver();
  folder = await createProgramFolder();
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers'])
    await folder.link(name, judgeProgram(name));
  const document = await (await fetch(`${service.baseUrl}/api/v1/openapi.json`)).text();
  await folder.write('openapi.json', document);
  const generator = judgeProgram('openapi-typescript/bin/cli.js');
  execFileSync(process.execPath, [
    generator,
    join(folder.path, 'openapi.json'),
    '-o',
    join(folder.path, 'api.d.ts'),
  ]);
});
afterAll(async () => {
  await folder[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
  await worker[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
});

const mainJob = `
import createClient from 'openapi-fetch';
import type { components, paths } from './api.d.ts';

type Schemas = components['schemas'];

const [baseUrl, key, receiverUrl] = process.argv.slice(2) as [string, string, string];
const client = createClient<paths>({ baseUrl, headers: { Authorization: \`Bearer \${key}\` } });

function dataOf<Data>(answer: { data?: { data: Data }; error?: Schemas['ErrorAnswer'] }): Data {
  if (!answer.data) throw new Error(JSON.stringify(answer.error));
  return answer.data.data;
}

const me: Schemas['Me'] = dataOf(await client.GET('/me'));
const draft: Schemas['CreateWebinarInput'] = { title: 'Launch', schedule: { onDemand: true } };
const { id: webinarId } = dataOf(await client.POST('/webinars', { body: draft }));
const path = { webinarId };
const webinar = dataOf(await client.POST('/webinars/{webinarId}/publish', { params: { path } }));

const action: Schemas['AutomationActionInput'] = { type: 'webhook', url: receiverUrl };
const trigger: Schemas['TriggerInput'] = { type: 'chat_response', params: { keywords: ['price'] } };
const rule = dataOf(
  await client.POST('/webinars/{webinarId}/automations', {
    params: { path },
    body: { name: 'Questions', trigger, action },
  }),
);
const match = rule.trigger.type === 'chat_response' ? rule.trigger.params.match : undefined;

const webhook = dataOf(
  await client.POST('/webinars/{webinarId}/webhooks', {
    params: { path, header: { 'Idempotency-Key': 'subscribe-1' } },
    body: { url: receiverUrl, eventTypes: ['registered'] },
  }),
);
const { id: registrationId } = dataOf(
  await client.POST('/webinars/{webinarId}/registrations', {
    params: { path },
    body: { name: 'Ada Lovelace', email: 'ada@example.com' },
  }),
);

const deliveries = { params: { path: { ...path, webhookId: webhook.id } } };
let delivery: Schemas['Delivery'] | undefined;
const running: Schemas['DeliveryStatus'][] = ['queued', 'delivering', 'retrying'];
for (let tries = 0; tries < 300 && (!delivery || running.includes(delivery.status)); tries++) {
  await new Promise<void>((resolve) => void setTimeout(resolve, 100));
  [delivery] = dataOf(await client.GET('/webinars/{webinarId}/webhooks/{webhookId}/deliveries', deliveries));
}
const registration = await client.GET('/webinars/{webinarId}/registrations/{registrationId}', {
  params: { path: { ...path, registrationId } },
});
const missing = await client.GET('/webinars/{webinarId}', { params: { path: { webinarId: registrationId } } });

console.log(JSON.stringify({
  surfaces: me.key?.surfaces,
  title: webinar.title,
  match,
  secret: webhook.secret.slice(0, 6),
  delivery: [delivery?.eventType, delivery?.status],
  email: registration.data?.data.email,
  refusal: missing.error?.code,
}));
`;

const mistakes = `
import createClient from 'openapi-fetch';
import type { paths } from './api.d.ts';

const client = createClient<paths>({ baseUrl: '' });
const { data } = await client.GET('/webinars');
console.log(data!.data[0]!.titel);
await client.POST('/webinars/{webinarId}/registrations', {
  params: { path: { webinarId: '' } },
  body: { name: 'Ada', emial: 'ada@example.com', sessionTime: '' },
});
await client.GET('/webinar');
`;

test('a program on types made from the document compiles and does its job', async () => {
  const { accountId } = await createTestAccount(service);
  const { key } = await createTestKey(service, accountId);
  expect(await folder.compile(mainJob)).toEqual([]);
  expect(await folder.run([`${service.baseUrl}/api/v1`, key, receiver.url])).toEqual(mainJobResult);
});

test('a wrong field, a misspelt property and a path that is not there do not compile', async () => {
  const lines = await folder.compile(mistakes);
  expect(lines.map((line) => /program\.ts\((\d+),/.exec(line)?.[1])).toEqual(['7', '10', '12']);
});
