// Questions that people ask an assistant, played as the calls that it makes: five at most for each.
import { expect, test } from 'vitest';
import { createSender } from '../revenue/sender.ts';
import { eventually } from '../support/eventually.ts';
import { callTool } from '../support/mcp.ts';
import { startReceiver } from '../support/receiver.ts';
import { testWorker } from '../support/worker.ts';
import { createWorld, type World } from '../support/world.ts';

/** A conversation: `ask` calls a tool that must succeed, and counts. */
function converse({ service, key }: World) {
  const conversation = {
    calls: 0,
    async ask(tool: string, given: Record<string, unknown> = {}) {
      conversation.calls += 1;
      const { isError, data } = await callTool(service, key, tool, given);
      expect([isError, isError && data], tool).toEqual([false, false]);
      return data;
    },
  };
  return conversation;
}

const expectFewCalls = ({ calls }: { calls: number }): void => {
  expect(calls).toBeGreaterThan(1);
  expect(calls).toBeLessThanOrEqual(5);
};

test('"Why did this webhook not fire for Ada?"', async () => {
  await using world = await createWorld();
  await using receiver = await startReceiver();
  const fromMail = { field: 'utm.source', operator: 'eq', value: 'mail' };
  await world.rule(receiver.url, {
    name: 'CRM',
    conditions: [fromMail],
  });
  await world.register('ada@example.com', { utm: { source: 'ads' } });
  const conversation = converse(world);
  const { ask } = conversation;
  const [webinar] = (await ask('list_webinars', { q: 'launch' })).data;
  const [rule] = (await ask('list_automations', { webinarId: webinar.id })).data;
  const [ada] = (await ask('list_registrations', { webinarId: webinar.id, q: 'ada' })).data;
  const answer = await ask('explain_automation', {
    webinarId: webinar.id,
    ruleId: rule.id,
    registrationId: ada.id,
  });
  expect(answer.data).toMatchObject({
    kind: 'skipped',
    executions: [
      {
        ruleName: 'CRM',
        skipReason: 'condition_not_met',
        conditions: [{ field: 'utm.source', expected: 'mail', actual: 'ads', passed: false }],
      },
    ],
  });
  expectFewCalls(conversation);
});

test('"Why did the webhook for Ada not arrive?"', async () => {
  await using world = await createWorld();
  await using receiver = await startReceiver((_request, response) => {
    response.statusCode = 403;
    response.end('The token of the CRM has expired');
  });
  const rule = await world.rule(receiver.url, { name: 'CRM' });
  for (const email of ['bob@example.com', 'ada@example.com']) await world.register(email);
  await using _worker = await testWorker(world.service.db.url, { retryScheduleSeconds: [0] });
  await world.untilNewest(`/automations/${rule.id}/deliveries`, 'failure');

  const conversation = converse(world);
  const { ask } = conversation;
  const [{ id: webinarId }] = (await ask('list_webinars', { q: 'launch' })).data;
  const [{ id: registrationId }] = (await ask('list_registrations', { webinarId, q: 'ada' })).data;
  const sent = (await ask('list_deliveries', { registrationId })).data;
  expect(sent).toMatchObject([
    { status: 'failure', attendee: { email: 'ada@example.com' }, rule: { name: 'CRM' } },
  ]);
  const [{ id: deliveryId, rule: found }] = sent;
  const { data } = await ask('get_automation_delivery', { webinarId, ruleId: found.id, deliveryId });
  expect(data).toMatchObject({
    attendee: { email: 'ada@example.com' },
    responseCode: 403,
    responseSnippet: 'The token of the CRM has expired',
    attemptLog: [{ number: 1, responseCode: 403 }],
  });
  expectFewCalls(conversation);
});

test('"Send again what failed since noon."', async () => {
  await using world = await createWorld();
  let isDown = true;
  await using receiver = await startReceiver((_request, response) => {
    response.statusCode = isDown ? 500 : 200;
    response.end();
  });
  await world.rule(receiver.url, { name: 'CRM' });
  for (const email of ['ada@example.com', 'bob@example.com']) await world.register(email);
  await using _worker = await testWorker(world.service.db.url, { retryScheduleSeconds: [0] });
  const noon = new Date(Date.now() - 3_600_000).toISOString();
  await eventually('both deliveries to fail', async () => {
    const { data } = await callTool(world.service, world.key, 'list_deliveries', {
      status: 'failure',
      from: noon,
    });
    return data.data.length === 2;
  });
  isDown = false;
  receiver.received.length = 0;

  const conversation = converse(world);
  const { ask } = conversation;
  const failed = (await ask('list_deliveries', { status: 'failure', from: noon })).data;
  expect(failed[0]).toMatchObject({
    responseCode: 500,
    attendee: { email: 'bob@example.com' },
    rule: { name: 'CRM', webinarTitle: 'Launch' },
  });
  const { id: ruleId, webinarId } = failed[0].rule;
  const span = { webinarId, ruleId, since: noon };
  expect((await ask('preview_automation_recovery', span)).data.total).toBe(2);
  const { data: recovery } = await ask('create_automation_recovery', { ...span, idempotency_key: 'noon' });
  await eventually('both webhooks', () => receiver.received.length === 2);
  const done = await ask('get_automation_recovery', { webinarId, ruleId, recoveryId: recovery.id });
  expect(done.data).toMatchObject({ total: 2, queued: 2 });
  expectFewCalls(conversation);
});

test('"Set up next Tuesday\'s webinar like last week\'s, and send its registrations to my CRM."', async () => {
  await using world = await createWorld();
  await using receiver = await startReceiver();
  await world.interaction({
    type: 'offer',
    headline: 'Buy',
    url: 'https://example.com/buy',
    buttonLabel: 'Buy',
  });
  const conversation = converse(world);
  const { ask } = conversation;
  const [last] = (await ask('list_webinars', { q: 'launch' })).data;
  const copy = (await ask('duplicate_webinar', { webinarId: last.id, title: 'Launch, second time' })).data;
  const tuesday = nextTuesday();
  await ask('update_webinar', {
    webinarId: copy.id,
    schedule: { recurrences: [{ frequency: 'once', startDate: tuesday, time: '18:00' }] },
  });
  const rule = await ask('create_automation', {
    webinarId: copy.id,
    name: 'CRM',
    trigger: { type: 'registered' },
    action: { type: 'webhook', url: receiver.url },
    idempotency_key: 'crm',
  });
  expect(rule.data.secretLast4).toHaveLength(4);
  const published = await ask('publish_webinar', { webinarId: copy.id });
  expect(published.data).toMatchObject({
    title: 'Launch, second time',
    status: 'published',
    nextSession: { startsAt: `${tuesday}T18:00:00.000Z` },
  });
  expectFewCalls(conversation);

  const at = `/webinars/${copy.id}`;
  const { json: interactions } = await world.rest(`GET ${at}/interactions`);
  expect(interactions.data).toMatchObject([{ headline: 'Buy' }]);
  const person = { name: 'Ada', email: 'ada@example.com', sessionTime: `${tuesday}T18:00:00Z` };
  await world.rest(`POST ${at}/registrations`, person);
  const { json: deliveries } = await world.rest(`GET ${at}/automations/${rule.data.id}/deliveries`);
  expect(deliveries.data).toHaveLength(1);
});

/** The date of the Tuesday after today, YYYY-MM-DD. */
function nextTuesday(): string {
  const today = new Date();
  const days = (2 - today.getUTCDay() + 7) % 7 || 7;
  return new Date(today.getTime() + days * 86_400_000).toISOString().slice(0, 10);
}

test('"How did last week\'s webinar do?"', async () => {
  await using world = await createWorld();
  const offer = await world.interaction({
    type: 'offer',
    headline: 'Buy',
    url: 'https://example.com/buy',
    buttonLabel: 'Buy',
  });
  const ada = await world.attend('ada@example.com');
  await world.register('bob@example.com');
  const gone = await world.register('gone@example.com');
  await world.call(`POST /registrations/${gone}/cancel`);
  world.startSession();
  await ada.visit();
  await ada.watch(30);
  await ada.view(offer);
  await ada.click(offer);

  const conversation = converse(world);
  const { ask } = conversation;
  const [webinar] = (await ask('list_webinars', { q: 'launch' })).data;
  // The session of the test is in ten minutes.
  const to = new Date(Date.now() + 3_600_000).toISOString();
  const report = await ask('get_webinar_report', { webinarId: webinar.id, to });
  expect(report.data).toMatchObject({
    webinar: { title: 'Launch' },
    sessions: [{ registrations: 2, attended: 1, noShow: 0, cancelled: 1 }],
    moreSessions: false,
    totals: { registrations: 2, attended: 1, attendancePercent: 100 },
    interactions: [{ id: offer, headline: 'Buy', views: 1, clicks: 1, clickers: 1 }],
  });
  expectFewCalls(conversation);
});

test('"Who clicked the offer and did not buy?"', async () => {
  await using world = await createWorld();
  const offer = await world.interaction({
    type: 'offer',
    headline: 'Buy',
    url: 'https://example.com/buy',
    buttonLabel: 'Buy',
  });
  const [ada, bob] = [await world.attend('ada@example.com'), await world.attend('bob@example.com')];
  await world.attend('cleo@example.com');
  world.startSession();
  for (const attendee of [ada, bob]) {
    await attendee.visit();
    expect((await attendee.click(offer)).status).toBe(201);
  }
  const shop = await createSender(world.service, world);
  const sold = await shop.send({ email: 'ada@example.com', timestamp: new Date().toISOString() });
  expect(sold.status).toBe(202);

  const conversation = converse(world);
  const { ask } = conversation;
  const [webinar] = (await ask('list_webinars', { q: 'launch' })).data;
  const [{ id: clickedInteractionId }] = (await ask('list_interactions', { webinarId: webinar.id })).data;
  const clicked = { webinarId: webinar.id, clickedInteractionId };
  const without = await ask('list_registrations', { ...clicked, purchased: false });
  expect(without.data.map(({ email }: { email: string }) => email)).toEqual(['bob@example.com']);
  const bought = await ask('list_registrations', { ...clicked, purchased: true });
  expect(bought.data).toMatchObject([
    { email: 'ada@example.com', revenue: [{ currency: 'EUR', netMinor: 4900 }] },
  ]);
  const report = await ask('get_webinar_report', { webinarId: webinar.id });
  expect(report.data.revenue).toEqual([{ currency: 'EUR', netMinor: 4900, purchases: 1 }]);
  expectFewCalls(conversation);
});
