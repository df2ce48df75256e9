// As an integrator: types from the served document, and a program on a typed client, compiled and run.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestWorld, testApi, type TestApi } from '../support/api.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';

let service: TestApi;
let receiver: Receiver;
let folder: string;

beforeAll(async () => {
  service = await testApi();
  receiver = await startReceiver();
  folder = await mkdtemp(join(tmpdir(), 'service-client-'));
  await mkdir(join(folder, 'node_modules'));
  const client = join(fileURLToPath(import.meta.resolve('openapi-fetch')), '../..');
  await symlink(client, join(folder, 'node_modules/openapi-fetch'));
  await symlink(
    join(client, '../openapi-typescript-helpers'),
    join(folder, 'node_modules/openapi-typescript-helpers'),
  );
  const document = await (await fetch(`${service.baseUrl}/api/v1/openapi.json`)).text();
  await writeFile(join(folder, 'api.d.ts'), astToString(await openapiTS(document)));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await receiver[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
});

const mainJob = `
import createClient from 'openapi-fetch';
import type { components, paths } from './api.d.ts';

const [baseUrl, key, receiverUrl] = process.argv.slice(2) as [string, string, string];
const client = createClient<paths>({ baseUrl, headers: { Authorization: \`Bearer \${key}\` } });

const webinars = await client.GET('/webinars', { params: { query: { limit: 5 } } });
if (!webinars.data) throw new Error(webinars.error.code);
const webinar: components['schemas']['Webinar'] = webinars.data.data[0]!;
const path = { webinarId: webinar.id };

const webhook = await client.POST('/webinars/{webinarId}/webhooks', {
  params: { path, header: { 'Idempotency-Key': 'subscribe-1' } },
  body: { url: receiverUrl, eventTypes: ['registered'] },
});
if (!webhook.data) throw new Error(JSON.stringify(webhook.error));

const created = await client.POST('/webinars/{webinarId}/registrations', {
  params: { path },
  body: { name: 'Ada Lovelace', email: 'ada@example.com', sessionTime: webinar.nextSession!.startsAt },
});
if (!created.data) throw new Error(JSON.stringify(created.error));
const registrationId: string = created.data.data.id;

const deliveries = await client.GET('/webinars/{webinarId}/webhooks/{webhookId}/deliveries', {
  params: { path: { ...path, webhookId: webhook.data.data.id } },
});
const registration = await client.GET('/webinars/{webinarId}/registrations/{registrationId}', {
  params: { path: { ...path, registrationId } },
});
const missing = await client.GET('/webinars/{webinarId}', { params: { path: { webinarId: registrationId } } });

console.log(JSON.stringify({
  title: webinar.title,
  secret: webhook.data.data.secret.slice(0, 6),
  eventType: deliveries.data?.data[0]?.eventType,
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

const settings = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    module: 'nodenext',
    target: 'esnext',
    lib: ['esnext', 'dom'],
    types: [],
    allowImportingTsExtensions: true,
    skipLibCheck: false,
  },
};

/** The compiler's errors for a program in the folder, one line each. */
async function compile(program: string): Promise<string[]> {
  // Of Node's globals the programs use two.
  const globals = 'declare const process: { argv: string[] };\n';
  await writeFile(join(folder, 'program.ts'), program);
  await writeFile(join(folder, 'globals.d.ts'), globals);
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ ...settings, files: ['program.ts', 'globals.d.ts'] }),
  );
  const compiler = join(import.meta.dirname, '../../node_modules/.bin/tsc');
  const { output } = await run(compiler, ['--pretty', 'false', '-p', folder]);
  return output.split('\n').filter((line) => line.includes('error TS'));
}

const run = (command: string, args: string[]): Promise<{ output: string; failed: boolean }> =>
  new Promise((resolve) => {
    execFile(command, args, { cwd: folder }, (error, stdout, stderr) =>
      resolve({ output: stdout + stderr, failed: error !== null }),
    );
  });

test('a program on types made from the document compiles and does its job', async () => {
  const { key } = await createTestWorld(service);
  expect(await compile(mainJob)).toEqual([]);
  const args = ['program.ts', `${service.baseUrl}/api/v1`, key, receiver.url];
  const { output, failed } = await run(process.execPath, args);
  expect(failed, output).toBe(false);
  expect(JSON.parse(output)).toEqual({
    title: 'Launch',
    secret: 'whsec_',
    eventType: 'registered',
    email: 'ada@example.com',
    refusal: 'webinar_not_found',
  });
});

test('a wrong field, a misspelt property and a path that is not there do not compile', async () => {
  const lines = await compile(mistakes);
  expect(lines.map((line) => /program\.ts\((\d+),/.exec(line)?.[1])).toEqual(['7', '10', '12']);
});
