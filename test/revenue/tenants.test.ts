// Two accounts that both sell to the same people. Neither sees the other's revenue, nor learns that the other exists.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestApi } from '../support/api.ts';
import {
  openShop,
  payloadOf,
  postToDoor,
  signGeneric,
  signStripe,
  stripeEventOf,
  type Shop,
} from '../support/shop.ts';
import { createWorld, type World } from '../support/world.ts';

const shared = 'ada@example.com';

interface Side {
  world: World;
  shop: Shop;
  registrationId: string;
  /** Of a click on the offer. */
  clickId: string;
}

let mine: Side;
let theirs: Side;
let service: TestApi;

async function createSide(world: World): Promise<Side> {
  await world.interaction({ type: 'offer', url: 'https://shop.example/', buttonLabel: 'Buy' });
  const ada = await world.attend(shared);
  world.startSession();
  const visit = await ada.visit();
  const { clickUrl } = visit.json.interactions[0];
  const redirect = new URL((await ada.follow(clickUrl)).headers.get('location')!);
  return {
    world,
    shop: await openShop(world.service, world),
    registrationId: ada.registrationId,
    clickId: redirect.searchParams.get('svc_click')!,
  };
}

beforeAll(async () => {
  const world = await createWorld();
  service = world.service;
  mine = await createSide(world);
  theirs = await createSide(await world.neighbour());
});
afterAll(() => service?.[Symbol.asyncDispose]());

const now = (): string => mine.world.clock.now().toISOString();

const eventOf = async ({ world }: Side, id: string) =>
  (await world.rest(`GET /revenue/events/${id}`)).json.data;

/** An answer as its caller sees it, without the parts that differ in every answer. */
const seen = ({ status, headers, text }: { status: number; headers: Headers; text: string }) => ({
  status,
  text: text.replace(/"requestId":"[^"]*"/, ''),
  headers: [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name)),
});

test('the same event ids, e-mail addresses and amounts are two ledgers', async () => {
  const fields = { event_id: 'same', email: shared, timestamp: now() };
  const first = await mine.shop.report(fields);
  const second = await theirs.shop.report(fields);
  expect([first.status, second.status], second.text).toEqual([202, 202]);
  expect(second.json.id).not.toBe(first.json.id);
  expect((await eventOf(mine, first.json.id)).credit.registrationId).toBe(mine.registrationId);
  expect((await eventOf(theirs, second.json.id)).credit.registrationId).toBe(theirs.registrationId);
});

test('a refund pairs with a purchase of its own account only', async () => {
  const purchase = await theirs.shop.report({
    event_id: 'only-theirs',
    email: 'bob@example.com',
    timestamp: now(),
  });
  const refund = await mine.shop.report({
    event_id: 'refund-of-theirs',
    type: 'refund',
    amount_minor: -100,
    email: 'bob@example.com',
    original_transaction_id: 'only-theirs',
    timestamp: now(),
  });
  expect(await eventOf(mine, refund.json.id)).toMatchObject({ pairing: 'unpaired', paymentId: null });
  expect(await eventOf(theirs, purchase.json.id)).toMatchObject({ state: 'paid' });
});

test.each(['click_id', 'registration_id'] as const)(
  'a %s of the other account is treated like an unknown one',
  async (field) => {
    const foreign = field === 'click_id' ? theirs.clickId : theirs.registrationId;
    const explained = async (id: string) => {
      const answer = await mine.shop.report({ email: 'stranger@example.com', [field]: id, timestamp: now() });
      expect(answer.status, answer.text).toBe(202);
      const { credit, explanation, considered, timeline } = await eventOf(mine, answer.json.id);
      return { credit, explanation, considered, timeline };
    };
    const unknown = await explained(randomUUID());
    expect(unknown.credit).toMatchObject({ level: 'unattributed', registrationId: null, webinarId: null });
    expect(await explained(foreign)).toEqual(unknown);
  },
);

test('a foreign id does not take the credit from the e-mail address of the own account', async () => {
  const answer = await mine.shop.report({ email: shared, click_id: theirs.clickId, timestamp: now() });
  const { credit } = await eventOf(mine, answer.json.id);
  expect(credit).toMatchObject({ matchedBy: 'email', registrationId: mine.registrationId });
});

test('a signature of one account is refused at the doors of another, like an account that does not exist', async () => {
  const body = JSON.stringify(payloadOf({ timestamp: now() }));
  const stripeBody = stripeEventOf('refund.created', { id: 're_1', amount: 100, currency: 'eur' });
  const headers = {
    generic: { 'x-service-signature': signGeneric(mine.shop.secrets.generic, body) },
    stripe: { 'stripe-signature': signStripe(mine.shop.secrets.stripe, stripeBody) },
  };
  for (const door of ['generic', 'stripe'] as const) {
    const post = async (accountId: string) =>
      seen(
        await postToDoor(service, `/api/webhooks/revenue/${accountId}/${door}`, {
          body: door === 'generic' ? body : stripeBody,
          headers: headers[door],
        }),
      );
    const foreign = await post(theirs.world.accountId);
    const absent = await post('0193e3a0-0000-7000-8000-000000000000');
    expect(foreign.status).toBe(401);
    expect(foreign).toEqual(absent);
  }
});

test('reports and their filters do not find records of the other account', async () => {
  const purchase = await theirs.shop.report({
    event_id: 'theirs-secret',
    email: 'carol@example.com',
    amount_minor: 424_242,
    timestamp: now(),
  });
  const { id } = purchase.json;
  const absent = await mine.world.rest('GET /revenue/events/0193e3a0-0000-7000-8000-000000000000');
  const foreign = await mine.world.rest(`GET /revenue/events/${id}`);
  expect(foreign.status).toBe(404);
  expect(foreign.json.code).toBe(absent.json.code);
  const filters = [
    '',
    '?email=carol@example.com',
    `?webinarId=${theirs.world.webinar.id}`,
    '?state=paid',
    '?source=generic',
    '?attributed=false',
  ];
  for (const filter of filters) {
    const list = await mine.world.rest(`GET /revenue/events${filter}`);
    expect(list.status, list.text).toBe(200);
    expect(list.text).not.toContain(id);
    expect(list.text).not.toContain('theirs-secret');
  }
  for (const by of ['day', 'webinar', 'offer', 'level', 'utmSource', 'source']) {
    const summary = await mine.world.rest(`GET /revenue/summary?by=${by}`);
    expect(summary.status, summary.text).toBe(200);
    expect(summary.text).not.toContain('424242');
    expect(summary.text).not.toContain(theirs.world.webinar.id);
  }
  const foreignWebinar = await mine.world.rest(`GET /revenue/summary?webinarId=${theirs.world.webinar.id}`);
  const noWebinar = await mine.world.rest(
    'GET /revenue/summary?webinarId=0193e3a0-0000-7000-8000-000000000000',
  );
  expect([foreignWebinar.status, foreignWebinar.json.data]).toEqual([noWebinar.status, noWebinar.json.data]);
});

test('a member of one account cannot read or change the sources of the other', async () => {
  const { owner } = mine.shop;
  const asTheirs = { headers: { 'x-workspace': theirs.world.accountId } };
  const reads = ['revenueSources.list', 'revenue.list', 'revenue.summary', 'revenueWindow.get'];
  for (const procedure of reads) {
    const answer = await owner.send(`${procedure}?input=%7B%7D`, asTheirs);
    expect([401, 403, 404], procedure).toContain(answer.status);
    expect(JSON.stringify(answer.json)).not.toContain(theirs.shop.secrets.generic.slice(-4));
  }
  const set = await owner.send('revenueSources.setSecret', {
    method: 'POST',
    headers: { ...asTheirs.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ provider: 'stripe', secret: 'whsec_0123456789abcdef0123456789abcdef' }),
  });
  expect([401, 403, 404]).toContain(set.status);
  const still = await theirs.shop.reportStripe('customer.created', { id: 'cus_1', object: 'customer' });
  expect(still.status, still.text).toBe(200);
});
