// Questions about webhooks that people ask an assistant, played as the calls that it makes: five at most for each.
import { expect } from 'vitest';
import { startReceiver } from '../support/receiver.ts';
import { testWorker } from '../support/worker.ts';
import { nextTuesday, test } from './converse.ts';

test('"Why did this webhook not fire for Ada?"', async ({ world, ask }) => {
  await using receiver = await startReceiver();
  const fromMail = { field: 'utm.source', operator: 'eq', value: 'mail' };
  await world.rule(receiver.url, {
    name: 'CRM',
    conditions: [fromMail],
  });
  await world.register('ada@example.com', { utm: { source: 'ads' } });
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
        conditions: [{ field: 'utm.source', expected: 'mail', passed: false, untrusted: { actual: 'ads' } }],
      },
    ],
  });
});

test('"Why did the webhook for Ada not arrive?"', async ({ world, ask }) => {
  await using receiver = await startReceiver((_request, response) => {
    response.statusCode = 403;
    response.end('The token of the CRM has expired');
  });
  const rule = await world.rule(receiver.url, { name: 'CRM' });
  for (const email of ['bob@example.com', 'ada@example.com']) await world.register(email);
  await using _worker = await testWorker(world.service.db.url, { retryScheduleSeconds: [0, 86_400] });
  await world.untilNewest(`/automations/${rule.id}/deliveries`, 'retrying');

  const [{ id: webinarId }] = (await ask('list_webinars', { q: 'launch' })).data;
  const [{ id: registrationId }] = (await ask('list_registrations', { webinarId, q: 'ada' })).data;
  const sent = (await ask('list_deliveries', { registrationId })).data;
  expect(sent).toMatchObject([
    { status: 'retrying', untrusted: { attendee: { email: 'ada@example.com' } }, rule: { name: 'CRM' } },
  ]);
  const [{ id: deliveryId, rule: found }] = sent;
  const { data } = await ask('get_automation_delivery', { webinarId, ruleId: found.id, deliveryId });
  expect(data).toMatchObject({
    untrusted: {
      attendee: { email: 'ada@example.com' },
      responseSnippet: 'The token of the CRM has expired',
    },
    responseCode: 403,
    attemptLog: [{ number: 1, responseCode: 403 }],
  });
});

test('"Set up next Tuesday\'s webinar like last week\'s, and send its registrations to my CRM."', async ({
  world,
  ask,
}) => {
  await using receiver = await startReceiver();
  await world.interaction({
    type: 'offer',
    headline: 'Buy',
    url: 'https://example.com/buy',
    buttonLabel: 'Buy',
  });
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

  const at = `/webinars/${copy.id}`;
  const { json: interactions } = await world.rest(`GET ${at}/interactions`);
  expect(interactions.data).toMatchObject([{ headline: 'Buy' }]);
  const person = { name: 'Ada', email: 'ada@example.com', sessionTime: `${tuesday}T18:00:00Z` };
  await world.rest(`POST ${at}/registrations`, person);
  const { json: deliveries } = await world.rest(`GET ${at}/automations/${rule.data.id}/deliveries`);
  expect(deliveries.data).toHaveLength(1);
});
