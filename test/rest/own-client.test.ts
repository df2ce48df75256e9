// As an integrator with @service/client: each row of the specification, each operation of the document, and the package as npm installs it.
import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createClient, isApiError, sendRevenueWebhook, verifyWebhook } from '@service/client';
import { listRoutes } from '@service/rest';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestAccount, createTestKey, createTestWorld, testApi, type TestApi } from '../support/api.ts';
import { createEverything, ownerOf } from '../support/everything.ts';
import { eventually } from '../support/eventually.ts';
import { createProgramFolder, mainJobResult } from '../support/program-folder.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';
import { openShop, payloadOf } from '../support/shop.ts';
import { testWorker } from '../support/worker.ts';

let service: TestApi;
let worker: AsyncDisposable;
let receiver: Receiver;

beforeAll(async () => {
  service = await testApi();
  worker = await testWorker(service.db.url);
  receiver = await startReceiver();
});
afterAll(async () => {
  await receiver[Symbol.asyncDispose]();
  await worker[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
});

test('each row of the tables of endpoints in the specification works through the client', async () => {
  const world = await createTestWorld(service);
  const { key, webinar } = world;
  const client = createClient({ baseUrl: service.baseUrl, key });
  const statuses: Record<string, number> = {};
  const note = <Answer extends { response: Response }>(row: string, answer: Answer): Answer => {
    statuses[row] = answer.response.status;
    return answer;
  };
  const at = { webinarId: webinar.id };
  note('GET webinars', await client.listWebinars());
  const body = { url: receiver.url, eventTypes: ['registered' as const] };
  const { data: webhook } = note('POST webhooks', await client.createWebhook({ path: at, body }));
  const path = { ...at, webhookId: webhook.id };
  note('GET webhooks', await client.listWebhooks({ path: at }));
  note('GET webhook', await client.getWebhook({ path }));
  note('PATCH webhook', await client.updateWebhook({ path, body: { eventTypes: ['registered', 'joined'] } }));
  const { data: rotated } = note('POST rotate-secret', await client.rotateWebhookSecret({ path }));
  const attendee = { name: 'Ada', email: 'ada@example.com', sessionTime: webinar.sessionTime };
  note('POST registrations', await client.createRegistration({ path: at, body: attendee }));
  const hook = await eventually('the webhook', () => receiver.received.at(-1));
  const event = await verifyWebhook(hook.body, hook.headers, [webhook.secret, rotated.secret]);
  expect(event.event_type === 'registered' && event.attendee.email).toBe('ada@example.com');
  const delivery = await eventually('the delivery', async () => {
    const { data } = note('GET deliveries', await client.listWebhookDeliveries({ path }));
    return data.find(({ status }) => status === 'success');
  });
  const one = { ...path, deliveryId: delivery.id };
  note('GET delivery', await client.getWebhookDelivery({ path: one }));
  note('POST redeliver', await client.redeliverWebhookDelivery({ path: one }));
  note('DELETE webhook', await client.deleteWebhook({ path }));
  note('GET docs', await client.request('GET', '/docs'));
  note('GET openapi.json', await client.request('GET', '/openapi.json'));
  const shop = await openShop(service, world);
  const source = { url: service.baseUrl + shop.paths.generic, secret: shop.secrets.generic };
  const purchase = payloadOf({ email: attendee.email }) as Parameters<typeof sendRevenueWebhook>[1];
  expect((await sendRevenueWebhook(source, purchase)).status).toBe('accepted');
  expect((await sendRevenueWebhook(source, purchase)).status).toBe('duplicate');
  expect(statuses).toEqual({
    'GET webinars': 200,
    'POST registrations': 201,
    'POST webhooks': 201,
    'GET webhooks': 200,
    'GET webhook': 200,
    'PATCH webhook': 200,
    'DELETE webhook': 204,
    'POST rotate-secret': 200,
    'GET deliveries': 200,
    'GET delivery': 200,
    'POST redeliver': 202,
    'GET docs': 200,
    'GET openapi.json': 200,
  });
});

/** Refusals by what the other operations of the test have done. Any other refusal means that a request was wrong. */
const stateCodes = new Set<unknown>([
  'interaction_not_found',
  'mail_not_suitable',
  'recovery_finished',
  'recovery_running',
  'session_state_conflict',
  'webinar_has_registrations',
  'webinar_not_adaptive',
  'webinar_not_found',
]);

test('each operation of the document is a method that reaches its route with its ids', async () => {
  const { key, ids, bodies } = await createEverything(service, receiver.url);
  const client = createClient({ baseUrl: service.baseUrl, key, retriesMax: 0 });
  // Records are deleted after everything else was done with them, the webinar last.
  const order = ['GET', 'POST', 'PATCH', 'DELETE'];
  const rank = ({ method, template }: { method: string; template: string }): number =>
    template.endsWith('/archive') || (method === 'DELETE' && template === '/webinars/{webinarId}')
      ? order.length
      : order.indexOf(method);
  const routes = listRoutes(service.api.service.router).toSorted((one, other) => rank(one) - rank(other));
  const refused: Record<string, unknown> = {};
  for (const { method, template, pathParameters, operation } of routes) {
    const path = Object.fromEntries(
      pathParameters.map((name) => [name, ids[ownerOf(template, name) ?? name] ?? ids[name]!]),
    );
    const call = client[operation.operationId as keyof typeof client] as (input: object) => Promise<unknown>;
    const answer = call({ path, body: bodies[`${method} ${template}`] });
    await answer.catch(
      (error: unknown) => (refused[operation.operationId!] = isApiError(error) ? error.code : error),
    );
  }
  const byRequest = Object.entries(refused).filter(([, code]) => !stateCodes.has(code));
  expect(byRequest).toEqual([]);
  expect(Object.keys(refused).length).toBeLessThan(routes.length / 5);
});

const program = `
import { createClient, isApiError, type AutomationActionInput, type CreateWebinarInput, type Delivery, type TriggerInput } from '@service/client';

const [baseUrl, key, receiverUrl] = process.argv.slice(2) as [string, string, string];
const client = createClient({ baseUrl, key });

const { data: me } = await client.getMe();
const draft: CreateWebinarInput = { title: 'Launch', schedule: { onDemand: true } };
const { data: created } = await client.createWebinar({ body: draft });
const path = { webinarId: created.id };
const { data: webinar } = await client.publishWebinar({ path });

const action: AutomationActionInput = { type: 'webhook', url: receiverUrl };
const trigger: TriggerInput = { type: 'chat_response', params: { keywords: ['price'] } };
const { data: rule } = await client.createAutomation({ path, body: { name: 'Questions', trigger, action } });
const match = rule.trigger.type === 'chat_response' ? rule.trigger.params.match : undefined;

const body = { url: receiverUrl, eventTypes: ['registered' as const] };
const { data: webhook } = await client.createWebhook({ path, body, headers: { 'Idempotency-Key': 'subscribe-1' } });
const person = { name: 'Ada Lovelace', email: 'ada@example.com' };
const { data: registration } = await client.createRegistration({ path, body: person });

let delivery: Delivery | undefined;
for (let tries = 0; tries < 300 && delivery?.status !== 'success'; tries++) {
  await new Promise<void>((resolve) => void setTimeout(resolve, 100));
  for await (const one of client.listWebhookDeliveries.all({ path: { ...path, webhookId: webhook.id } })) delivery = one;
}
const missing: unknown = await client.getWebinar({ path: { webinarId: registration.id } }).catch((error) => error);

console.log(JSON.stringify({
  surfaces: me.key?.surfaces,
  title: webinar.title,
  match,
  secret: webhook.secret.slice(0, 6),
  delivery: [delivery?.eventType, delivery?.status],
  email: registration.email,
  refusal: isApiError(missing, 'webinar_not_found') ? missing.code : undefined,
}));
`;

/** Each marked line has one mistake. */
const mistakes = `
import { createClient, isApiError, verifyWebhook } from '@service/client';

const client = createClient({ baseUrl: '', key: '' });
const path = { webinarId: '' };
const rule = { name: 'Rule', action: { type: 'webhook' as const, url: '' } };
await client.createAutomation({ path, body: { ...rule, trigger: { type: 'watched_percent', params: { minutes: 5 } } } }); // mistake
await client.createAutomation({ path, body: { ...rule, trigger: { type: 'watched_minutes', params: { minutes: 5 } } } });
await client.createRegistration({ path, body: { name: 'Ada', emial: 'ada@example.com' } }); // mistake
await client.getWebinar(); // mistake
await client.getWebinar({ path: {} }); // mistake
client.getWebinar.all({ path }); // mistake
for await (const { titel } of client.listWebinars.all()) titel; // mistake
const event = await verifyWebhook('', {}, '');
if (event.event_type === 'registered') event.event_data.offerId;
if (event.event_type === 'cta_click') event.event_data.offerId?.length;
if (event.event_type === 'regstered') event; // mistake
try {} catch (error) { isApiError(error, 'webinar_not_fond'); } // mistake
`;

test('the packed client is installed by npm, compiles strictly, does the main job, and refuses mistakes', async () => {
  await using folder = await createProgramFolder();
  const execute = promisify(execFile);
  const pack = join(import.meta.dirname, '../../packages/client/pack.ts');
  const packed = await execute(process.execPath, [pack, join(folder.path, 'packed')]);
  const archive = join(folder.path, 'packed', packed.stdout.trim().split('\n').at(-1)!);
  const install = [
    'install',
    '--offline',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--silent',
    archive,
  ];
  await execute('npm', install, { cwd: folder.path });
  const verify = await readdir(join(folder.path, 'node_modules/@service/client/verify'));
  expect(verify.toSorted()).toEqual(['verify.go', 'verify.php', 'verify.py', 'verify.rb']);

  const lines = mistakes.split('\n');
  const expected = lines.flatMap((line, index) => (line.endsWith('// mistake') ? [String(index + 1)] : []));
  const errors = await folder.compile(mistakes);
  expect([...new Set(errors.map((line) => /program\.ts\((\d+),/.exec(line)?.[1]))]).toEqual(expected);

  const { accountId } = await createTestAccount(service);
  const { key } = await createTestKey(service, accountId);
  expect(await folder.compile(program)).toEqual([]);
  expect(await folder.run([service.baseUrl, key, receiver.url])).toEqual(mainJobResult);
});
