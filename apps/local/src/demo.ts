// npm run demo: the main job, end to end, against the running service. Every step shows its request and its answer.
import { sendRevenueWebhook, verifyWebhook, type Client, type Webinar } from '@service/client';
import { loadLocalEnvFile, readCommandLine } from '@service/config';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readDemo } from './data-dir.ts';
import { openDashboard, type Dashboard } from './demo-dashboard.ts';
import { createSteps, type Steps } from './demo-steps.ts';
import { readRunning } from './running.ts';

const help = `npm run demo    creates a key, subscribes a local receiver, registers an attendee, verifies the webhook, reads the confirmation, reports a purchase, reads results and people, archives a draft, and calls a tool over MCP

It uses the service that npm start runs on DATA_DIR (.data). Set BASE_URL to reach it at another address.`;

const keyLabel = 'npm run demo';

const shownHeaders = /^(content-type|user-agent|x-service-signature|webhook-.*)$/;

async function main(): Promise<void> {
  if (!readCommandLine(process.argv.slice(2), { options: {} })) return console.log(help);
  const dataDir = process.env.DATA_DIR || '.data';
  const running = await readRunning(dataDir);
  const demo = await readDemo(dataDir);
  if (!running || !demo) throw new Error('The service is not running here. Start it with: npm start');
  const baseUrl = process.env.BASE_URL?.replace(/\/+$/, '') || running.baseUrl;
  await run(await openDashboard(baseUrl, demo), createSteps(baseUrl));
}

async function run(dashboard: Dashboard, steps: Steps): Promise<void> {
  steps.title('Create an API key, as Settings > API keys does');
  for (const old of await dashboard.keys()) if (old.label === keyLabel) await dashboard.revokeKey(old.id);
  const { id: keyId, key } = await dashboard.createKey(keyLabel);
  steps.say(`key ${key}`);

  await using receiver = await startDemoReceiver();
  const client = steps.clientWith(key);
  const webinar = await findWebinar(steps, client);
  const path = { webinarId: webinar.id };

  steps.title('Subscribe a receiver on this machine to registrations');
  const { data: webhook } = await client.createWebhook({
    path,
    body: { url: receiver.url, description: 'Demo receiver', eventTypes: ['registered'] },
  });

  steps.title('Register an attendee');
  const attendee = {
    name: 'Ada Lovelace',
    email: `ada+${Date.now()}@example.com`,
    sessionTime: webinar.nextSession!.startsAt,
    utm: { source: 'demo' },
  };
  await client.createRegistration({ path, body: attendee });
  const registeredAt = performance.now();

  steps.title('The receiver gets the webhook');
  const hook = await receiver.next(10_000);
  steps.say(`${Math.max(0, Math.round(hook.at - registeredAt))} ms after the answer to the registration`);
  steps.show(`POST ${new URL(receiver.url).pathname}`, hook.headers);
  steps.json(hook.body);

  steps.title('Verify the signature over the raw bytes');
  await verifyWebhook(hook.body, hook.headers, webhook.secret);
  steps.say(`genuine; by hand: openssl dgst -sha256 -hmac '${webhook.secret}' < body`);

  steps.title('The record of the delivery');
  const subscription = { ...path, webhookId: webhook.id };
  await steps.settled(key, subscription);
  await client.listWebhookDeliveries({ path: subscription });
  await client.deleteWebhook({ path: subscription });

  steps.title('The confirmation, as the page /mail shows it: with the personal link and a calendar file');
  await steps.showMail(attendee.email);

  await reportPurchase(dashboard, steps, { client, email: attendee.email });

  steps.title('The results of the webinar, and the attendee over all webinars');
  await client.getWebinarAnalytics({ path });
  for (const { name, email, registrations, attended } of await dashboard.people(attendee.email))
    steps.say(`${name}, ${email}: ${registrations} registered, ${attended} attended`);

  await archiveDraft(dashboard, steps, client);

  steps.title('An assistant with the same key reads how the webinar did, over MCP');
  const to = new Date(Date.parse(attendee.sessionTime) + 1).toISOString();
  await steps.tool('get_webinar_report', { webinarId: webinar.id, to }, { key });

  steps.title('Settings > API keys and Activity, half a second later');
  const used = await dashboard.usedKey(keyId, steps.callsMade());
  steps.say(`${used.maskedKey}  ${used.access}  last used ${used.lastUsedAt}  ${used.requests} requests`);
  for (const call of await dashboard.calls(keyId))
    steps.say(`${call.status}  ${call.tool ?? `${call.method} ${call.path}`}  ${call.durationMs} ms`);
  steps.done();
}

/** Reports a purchase as a payment provider does, and shows its credit. A secret of another shop is never replaced. */
async function reportPurchase(
  dashboard: Dashboard,
  steps: Steps,
  { client, email }: { client: Client; email: string },
): Promise<void> {
  steps.title(
    'The attendee buys: a payment provider reports it, signed with the secret of Settings > Revenue',
  );
  const sources = await dashboard.revenueSources();
  const { url, secretLast4 } = sources.find(({ provider }) => provider === 'generic')!;
  if (secretLast4 !== null) {
    steps.say('Left out: the generic source has a secret already, and a secret is shown only once.');
    return;
  }
  const secret = await dashboard.createGenericSecret();
  await using _source = {
    [Symbol.asyncDispose]: () => dashboard.removeRevenueSecret('generic'),
  };
  const { id } = await sendRevenueWebhook(
    { url, secret, fetch: steps.shownFetch },
    {
      event_id: `order_${Date.now()}`,
      type: 'purchase',
      email,
      amount_minor: 7900,
      currency: 'EUR',
      original_transaction_id: null,
      timestamp: new Date().toISOString(),
    },
  );

  steps.title('The credit of the purchase, with its explanation');
  await client.getRevenueEvent({ path: { revenueEventId: id } });

  steps.title('An owner takes the credit away by hand: the explanation says who and why');
  await dashboard.takeCreditAway(id, 'To show it in the demo');
  await client.getRevenueEvent({ path: { revenueEventId: id } });
  await dashboard.endDecision(id);
}

/** Archives a draft and shows where it is afterwards. */
async function archiveDraft(dashboard: Dashboard, steps: Steps, client: Client): Promise<void> {
  steps.title('Archive a webinar: members still see it, and can restore it');
  const { data: draft } = await client.createWebinar({ body: { title: 'Demo draft' } });
  await client.archiveWebinar({ path: { webinarId: draft.id } });
  for (const { id, title, status } of await dashboard.archivedWebinars())
    if (id === draft.id) steps.say(`${title}: ${status}`);
  await dashboard.deleteWebinar(draft.id);
}

/** The first webinar that can be booked, or a new one. */
async function findWebinar(steps: Steps, client: Client): Promise<Webinar> {
  steps.title('Find a webinar that can be booked');
  const { data: webinars } = await client.listWebinars({ query: { limit: 5 } });
  const bookable = webinars.find((webinar) => webinar.status === 'published' && webinar.nextSession);
  if (bookable) return bookable;
  steps.title('There is none: create one and publish it');
  const startDate = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
  const schedule = { recurrences: [{ frequency: 'once' as const, startDate, time: '17:00' }] };
  const { data: draft } = await client.createWebinar({ body: { title: 'Demo', schedule } });
  return (await client.publishWebinar({ path: { webinarId: draft.id } })).data;
}

try {
  loadLocalEnvFile();
  await main();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}

interface ReceivedWebhook {
  headers: Record<string, string>;
  body: string;
  /** Milliseconds of performance.now(). */
  at: number;
}

interface DemoReceiver extends AsyncDisposable {
  url: string;
  /** The first webhook. Fails after `withinMs`. */
  next(withinMs: number): Promise<ReceivedWebhook>;
}

/** A receiver as an integrator writes it: it stores the raw body and answers 200 at once. */
async function startDemoReceiver(): Promise<DemoReceiver> {
  const { promise, resolve } = Promise.withResolvers<ReceivedWebhook>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      response.end('thank you');
      const headers = Object.entries(request.headers).filter(([name]) => shownHeaders.test(name));
      resolve({
        headers: Object.fromEntries(headers) as Record<string, string>,
        body: Buffer.concat(chunks).toString(),
        at: performance.now(),
      });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`,
    async next(withinMs) {
      const timer = AbortSignal.timeout(withinMs);
      const late = once(timer, 'abort').then(() => {
        throw new Error(`No webhook came within ${withinMs / 1000} s. Is the worker running?`);
      });
      return Promise.race([promise, late]);
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
