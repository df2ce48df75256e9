// n8n's rules for community nodes check the package, and its nodes run as n8n calls them.
import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { startReceiver } from '../support/receiver.ts';
import { testWorker } from '../support/worker.ts';
import { createWorld, type World } from '../support/world.ts';
import { infraFolder } from './judge-program.ts';

const folder = join(infraFolder, 'n8n');
const program = (path: string): string => join(folder, 'node_modules', path);

test("n8n's rules find no problem, and find one in a node without its required texts", () => {
  const lint = (args: string[], input = '') =>
    spawnSync(process.execPath, [program('eslint/bin/eslint.js'), ...args, '--max-warnings', '0'], {
      cwd: folder,
      // In `test` the rules take each file for an example of their own.
      env: { ...process.env, NODE_ENV: 'production' },
      input,
      encoding: 'utf8',
    }).stdout;
  expect(lint(['.'])).toBe('');
  const name = 'nodes/WebinarService/WebinarService.node.ts';
  const planted = readFileSync(join(folder, name), 'utf8').replace(/^ +subtitle: .*\n/m, '');
  expect(lint(['--stdin', '--stdin-filename', name], planted)).toContain('require-node-description-fields');
});

interface Node {
  description: { properties: { name: string }[] };
  execute(): Promise<{ json: Record<string, unknown> }[][]>;
  webhook(): Promise<{ workflowData?: Record<string, unknown>[][] }>;
  webhookMethods: { default: Record<'checkExists' | 'create' | 'delete', () => Promise<boolean>> };
  methods: { loadOptions: { getWebinars(): Promise<{ name: string; value: string }[]> } };
}

interface Options {
  url: string;
  method?: string;
  qs?: Record<string, string>;
  body?: object;
}

const timezone = 'America/New_York';

/** A time as the picker of n8n gives it: in the time zone of the workflow, without an offset. */
const pickedTime = (time: string): string =>
  new Date(time).toLocaleString('sv-SE', { timeZone: timezone }).replace(' ', 'T');

/** The functions that n8n binds to `this` of a node. */
function functionsOf(world: World, parameters: Record<string, unknown>, webhookUrl = '') {
  const kept = {};
  return {
    getNodeParameter: (name: string, _index?: number, fallback?: unknown) => parameters[name] ?? fallback,
    getCredentials: async () => ({ baseUrl: `${world.service.baseUrl}/` }),
    getNode: () => ({ name: 'Test' }),
    getInputData: () => [{ json: {} }],
    getTimezone: () => timezone,
    continueOnFail: () => false,
    getWorkflowStaticData: () => kept,
    getNodeWebhookUrl: () => webhookUrl,
    helpers: {
      returnJsonArray: (data: object) => [data],
      async httpRequestWithAuthentication(_credential: string, { url, method, qs, body }: Options) {
        const response = await fetch(`${url}?${new URLSearchParams(qs).toString()}`, {
          method,
          headers: { authorization: `Bearer ${world.key}`, 'content-type': 'application/json' },
          body: body && JSON.stringify(body),
        });
        const text = await response.text();
        if (!response.ok) throw Object.assign(new Error(text), { httpCode: String(response.status) });
        return text === '' ? '' : JSON.parse(text);
      },
    },
  };
}

test('the compiled nodes subscribe, verify the webhook, register, find and cancel, and unsubscribe', async () => {
  await promisify(execFile)(process.execPath, [program('typescript/bin/tsc')], { cwd: folder });
  const load = createRequire(join(folder, 'dist/nodes/WebinarService/main.js'));
  const action = new (load('./WebinarService.node.js').WebinarService)() as Node;
  const trigger = new (load('./WebinarServiceTrigger.node.js').WebinarServiceTrigger)() as Node;
  await using world = await createWorld();
  await using receiver = await startReceiver();
  await using _worker = await testWorker(world.service.db.url);
  const { id: webinarId, sessionTime } = world.webinar;
  const act = async (parameters: object): Promise<Record<string, unknown>[]> => {
    const [items] = await action.execute.call(functionsOf(world, { webinarId, ...parameters }));
    return items!.map(({ json }) => json);
  };

  const hooks = functionsOf(world, { webinarId, eventTypes: ['registered'] }, receiver.url);
  expect(await trigger.methods.loadOptions.getWebinars.call(hooks)).toEqual([
    { name: 'Launch', value: webinarId },
  ]);
  const { checkExists, create, delete: unsubscribe } = trigger.webhookMethods.default;
  expect(await checkExists.call(hooks)).toBe(false);
  await create.call(hooks);
  expect(await checkExists.call(hooks)).toBe(true);

  const [registration] = await act({
    operation: 'createRegistration',
    name: 'Ada',
    email: 'ada@example.com',
    additionalFields: { sessionTime: pickedTime(sessionTime), customFields: '{"company":"Engines"}' },
  });
  expect(registration).toMatchObject({
    email: 'ada@example.com',
    sessionTime,
    customFields: { company: 'Engines' },
  });

  const { headers, body } = await eventually('the webhook', () => receiver.received.at(-1));
  let status: number | undefined;
  const receive = (rawBody: Buffer) =>
    trigger.webhook.call({
      ...hooks,
      getRequestObject: () => ({ rawBody, headers }),
      getBodyData: () => JSON.parse(rawBody.toString()),
      getResponseObject: () => ({ status: (code: number) => ({ end: () => (status = code) }) }),
    });
  const { workflowData } = await receive(body);
  expect(workflowData![0]![0]).toMatchObject({ attendee: { registration_id: registration!['id'] } });
  expect(await receive(Buffer.concat([body, Buffer.from(' ')]))).toEqual({ noWebhookResponse: true });
  expect(status).toBe(401);

  const find = (additionalFields: object) => act({ operation: 'listRegistrations', additionalFields });
  expect(await find({ email: 'ada@example.com' })).toHaveLength(1);
  expect(await find({ status: 'cancelled' })).toEqual([]);
  const [cancelled] = await act({ operation: 'cancelRegistration', registrationId: registration!['id'] });
  expect(cancelled).toMatchObject({ status: 'cancelled' });

  await unsubscribe.call(hooks);
  expect(await checkExists.call(hooks)).toBe(false);
  expect(await world.get('/webhooks')).toEqual([]);
});
