// Reading revenue and data of attendees in the body of a delivery: each scope alone, on every path and with every tool, from their tables.
import { eventCatalogue } from '@service/automations';
import type { Route } from '@service/rest';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { pathOf } from '../support/everything.ts';
import { writeAs } from '../support/factories.ts';
import { argumentsOf } from '../support/tool-arguments.ts';
import { testWorker } from '../support/worker.ts';
import { createScopeWorld, moneyTypes, readBodies, type ScopeWorld } from './scope-world.ts';

let { service, world, routes, tools, keys, keyOf, rulesAt, rest, callTool } = {} as ScopeWorld;
let close: () => PromiseLike<void>;
beforeAll(async () => {
  const made = await createScopeWorld();
  ({ service, world, routes, tools, keys, keyOf, rulesAt, rest, callTool } = made);
  close = () => made[Symbol.asyncDispose]();
});
afterAll(() => close());

const canary = {
  name: 'Canary Person',
  email: 'canary@example.com',
  utm: 'canary-campaign',
  amount: 98_765_432,
};

/** A delivery about the canary for each trigger, and for the time since each event with an amount. The receiver repeats them. */
async function sendCanaries(): Promise<Map<string, { isRevenue: boolean }>> {
  const { deliveries } = service.api.service;
  const { pool } = service.db.database;
  const found = await pool.query('select endpoint_id from automations.rule where id = $1', [
    world.ids['ruleId'],
  ]);
  const endpointId: string = found.rows[0].endpoint_id;
  const samples = eventCatalogue.flatMap(({ type, sample, paramsSchema }) => {
    const params = (paramsSchema['properties'] ?? {}) as Record<string, unknown>;
    const sources = params['event'] ? ['joined', ...moneyTypes] : [undefined];
    return sources.map((sourceEvent) => {
      const isRevenue = moneyTypes.includes(type) || moneyTypes.includes(sourceEvent ?? '');
      const money = isRevenue && { amountMinor: canary.amount };
      const event_data = { ...sample.event_data, ...money, ...(sourceEvent && { sourceEvent }) };
      const attendee = { ...sample.attendee, name: canary.name, email: canary.email };
      return { type, isRevenue, body: JSON.stringify({ ...sample, attendee, event_data }) };
    });
  });
  const drafts = samples.map(({ type, body }) => ({ endpointId, eventType: type, body }));
  const ids = await writeAs(service.db.database, world.accountId, (tx) => deliveries.enqueue(tx, drafts));
  await using _worker = await testWorker(service.db.url);
  await eventually('the canaries to be delivered', async () => {
    const { rows } = await pool.query(
      'select count(*)::int from deliveries.attempt where delivery_id = any($1)',
      [ids],
    );
    return rows[0].count === ids.length;
  });
  return new Map(ids.map((id, index) => [id, { isRevenue: samples[index]!.isRevenue }]));
}

/** Registers the canary, so that the rule, whose conditions ask for its campaign and its purchases, is evaluated for it. */
async function evaluateCanary(): Promise<void> {
  const conditions = [
    { field: 'utm.campaign', operator: 'neq', value: 'other' },
    { field: 'purchased', operator: 'eq', value: false },
  ];
  await rest(`PATCH ${rulesAt}/${world.ids['ruleId']}`, world.key, {
    trigger: { type: 'registered' },
    conditions,
  });
  const person = world.bodies['POST /webinars/{webinarId}/registrations'] as object;
  const { name, email } = canary;
  const body = { ...person, name, email, utm: { campaign: canary.utm } };
  const made = await rest(`POST /webinars/${world.ids['webinarId']}/registrations`, world.key, body);
  expect([made.status, made.text]).toEqual([201, expect.stringContaining(canary.utm)]);
}

test('each scope alone reads neither revenue nor data of attendees in a stored body, on any path or with any tool', async () => {
  await evaluateCanary();
  const sent = await sendCanaries();
  const isReading = ({ type, template }: Route): boolean => type === 'query' || template.endsWith('/preview');
  const texts: { title: string; text: string; scopes: string }[] = [];
  for (const [scopes, key] of keys) {
    const note = (title: string, { text }: { text: string }) => texts.push({ title, text, scopes });
    for (const deliveryId of sent.keys()) {
      const ids = { ...world.ids, automations: deliveryId };
      for (const route of routes.filter((one) => isReading(one) && one.template.includes('{ruleId}'))) {
        if (deliveryId !== sent.keys().next().value && !route.template.includes('{deliveryId}')) continue;
        const body = world.bodies[`${route.method} ${route.template}`] as object | undefined;
        note(
          `${route.method} ${route.template}`,
          await rest(`${route.method} ${pathOf(route.template, ids)}`, key, body),
        );
      }
      for (const tool of tools.filter(
        ({ isWrite, listed }) => !isWrite && 'deliveryId' in (listed.inputSchema['properties'] as object),
      ))
        note(tool.name, await callTool(tool.name, key, argumentsOf(tool, routes, { ...world, ids })));
    }
    for (const route of routes.filter((one) => isReading(one) && !one.template.includes('{ruleId}'))) {
      const body = world.bodies[`${route.method} ${route.template}`] as object | undefined;
      note(
        `${route.method} ${route.template}`,
        await rest(`${route.method} ${pathOf(route.template, world.ids)}`, key, body),
      );
    }
    for (const tool of tools.filter(({ isWrite }) => !isWrite))
      note(tool.name, await callTool(tool.name, key, argumentsOf(tool, routes, world)));
  }
  for (const { title, text, scopes } of texts) {
    const readsPeople = /registrations:/.test(scopes);
    const leaks = [
      String(canary.amount),
      ...(readsPeople ? [] : [canary.name, canary.email, canary.utm]),
    ].filter((secret) => text.includes(secret));
    expect(leaks, `${title} with ${scopes}`).toEqual([]);
    if (!/revenue:/.test(scopes) && /execution/i.test(title))
      expect(text, `${title} with ${scopes}`).not.toContain('"purchased"');
  }
});

test('a body is read with automations:read and registrations:read, and with revenue:read if it is about revenue', async () => {
  const sent = await sendCanaries();
  const read = async (deliveryId: string, key: string) =>
    (await rest(`GET ${rulesAt}/${world.ids['ruleId']}/deliveries/${deliveryId}`, key)).json.data;
  for (const [deliveryId, { isRevenue }] of sent) {
    const all = await read(deliveryId, world.key);
    expect(JSON.parse(all.body).attendee.email).toBe(canary.email);
    const { body, responseSnippet, attemptLog } = await read(deliveryId, keyOf(...readBodies));
    const [attempt] = attemptLog;
    const shown = isRevenue
      ? [null, null, null]
      : [all.body, all.responseSnippet, all.attemptLog[0].responseSnippet];
    expect([body, responseSnippet, attempt.responseSnippet]).toEqual(shown);
    expect(await read(deliveryId, keyOf('automations:read', 'revenue:read'))).toMatchObject({
      body: null,
      status: 'success',
    });
  }
});
