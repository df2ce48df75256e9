// Two accounts that both sell. Neither sees the other's revenue, nor learns that the other exists.
import { expect } from 'vitest';
import { test as base } from '../support/service-test.ts';
import { openShop } from '../support/shop.ts';
import { createWorld } from '../support/world.ts';

const test = base.extend('sides', { scope: 'file' }, async ({ service }) => {
  const openSide = async () => {
    const world = await createWorld({ beside: { service } });
    return { world, shop: await openShop(service, world) };
  };
  return { mine: await openSide(), theirs: await openSide() };
});

test('reports and their filters do not find records of the other account', async ({
  sides: { mine, theirs },
}) => {
  const fields = { event_id: 'theirs-secret', email: 'carol@example.com', amount_minor: 424_242 };
  const { id } = (await theirs.shop.report(fields)).json;
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

test('a member of one account cannot read or change the sources of the other', async ({
  sides: { mine, theirs },
}) => {
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
