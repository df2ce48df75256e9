// Zapier's schema validates the app, and Zapier's library runs it.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { startReceiver } from '../support/receiver.ts';
import { testWorker } from '../support/worker.ts';
import { createWorld } from '../support/world.ts';
import { infraFolder } from './judge-program.ts';

interface Entry {
  operation: Record<string, object>;
}

interface App {
  authentication: Record<string, object>;
  triggers: Record<string, Entry>;
  creates: Record<string, Entry>;
  searches: Record<string, Entry>;
}

interface Zapier {
  // oxlint-disable-next-line typescript/no-explicit-any -- each function has its own result
  createAppTester(app: App): (method: object, bundle: object) => Promise<any>;
  createAppHandler(app: App): (event: object) => Promise<{ results: { message: string }[] }>;
}

const file = join(infraFolder, 'zapier/index.js');
const { createAppHandler, createAppTester } = createRequire(file)('zapier-platform-core') as Zapier;
const { default: app } = (await import(file)) as { default: App };

const problemsOf = async (judged: App): Promise<string[]> =>
  (await createAppHandler(judged)({ command: 'validate' })).results.map(({ message }) => message);

test('Zapier accepts the app, and refuses a trigger without a noun', async () => {
  expect(await problemsOf(app)).toEqual([]);
  const { noun: _noun, ...planted } = app.triggers['registered'] as Entry & { noun: string };
  const problems = await problemsOf({ ...app, triggers: { ...app.triggers, registered: planted } });
  expect(problems).toEqual([expect.stringContaining('noun')]);
});

test('Zapier subscribes, verifies the webhook, registers, finds and cancels, and unsubscribes', async () => {
  await using world = await createWorld();
  await using receiver = await startReceiver();
  await using _worker = await testWorker(world.service.db.url);
  const run = createAppTester(app);
  const webinarId = world.webinar.id;
  const authData = { baseUrl: `${world.service.baseUrl}/`, apiKey: world.key };
  const at = (inputData: object) => ({ authData, inputData: { webinarId, ...inputData } });

  expect((await run(app.authentication['test']!, { authData })).account.name).toBe('Test');
  const wrong = run(app.authentication['test']!, { authData: { ...authData, apiKey: 'svc_live_wrong' } });
  await expect(wrong).rejects.toThrow(/key/);
  const { perform: listWebinars } = app.triggers['webinar']!.operation;
  const webinars = await run(listWebinars!, { authData, meta: { page: 0 } });
  expect(webinars).toEqual([{ id: webinarId, title: 'Launch' }]);
  expect(await run(listWebinars!, { authData, meta: { page: 1 } })).toEqual([]);

  const { performSubscribe, performUnsubscribe, perform, performList } =
    app.triggers['registered']!.operation;
  const subscribeData = await run(performSubscribe!, { ...at({}), targetUrl: receiver.url });
  const person = { name: 'Ada', email: 'ada@example.com', sessionTime: world.webinar.sessionTime };
  const fields = { customFields: { company: 'Engines' }, phone: '' };
  const registration = await run(
    app.creates['register']!.operation['perform']!,
    at({ ...person, ...fields }),
  );
  expect(registration).toMatchObject({ email: 'ada@example.com', customFields: { company: 'Engines' } });

  const hook = await eventually('the webhook', () => receiver.received.at(-1));
  const content = hook.body.toString();
  const headers = Object.fromEntries(
    Object.entries(hook.headers).map(([name, value]) => [`Http-${name}`, String(value)]),
  );
  const received = { ...at({}), cleanedRequest: JSON.parse(content), subscribeData };
  const [event] = await run(perform!, { ...received, rawRequest: { headers, content } });
  expect(event).toMatchObject({ event_type: 'registered', attendee: { registration_id: registration.id } });
  const forged = run(perform!, { ...received, rawRequest: { headers, content: `${content} ` } });
  await expect(forged).rejects.toThrow('signature');
  const [sample] = await run(performList!, at({}));
  expect(Object.keys(sample).toSorted()).toEqual(Object.keys(event).toSorted());

  const { perform: find } = app.searches['findRegistration']!.operation;
  expect(await run(find!, at({ email: person.email }))).toHaveLength(1);
  expect(await run(find!, at({ email: 'other@example.com' }))).toEqual([]);
  const { perform: cancel } = app.creates['cancelRegistration']!.operation;
  expect((await run(cancel!, at({ registrationId: registration.id }))).status).toBe('cancelled');

  const unsubscribed = { authData, subscribeData };
  await run(performUnsubscribe!, unsubscribed);
  await run(performUnsubscribe!, unsubscribed);
  expect(await world.get('/webhooks')).toEqual([]);
});
