// The actions of a rule over REST. test/mails/rule-mails.test.ts sends its mails.
import { expect } from 'vitest';
import { nowhere, ruleTo, test } from './automation-world.ts';

const email = {
  type: 'email',
  to: 'attendee',
  purpose: 'service',
  subject: 'Hello {{firstName}}',
  text: 'See you at {{sessionTime}}.',
};
const webhook = { type: 'webhook', url: nowhere };
const { action: _action, ...rule } = ruleTo(nowhere);

test('a rule has up to five actions, and an action that keeps its id stays the same one', async ({
  world,
}) => {
  const made = await world.call('POST /automations', { ...rule, actions: [email, webhook] });
  expect(made.status).toBe(201);
  const { secret, ...created } = made.json.data;
  const [hook, mail] = created.actions;
  expect(created.actions).toEqual([
    { id: expect.any(String), ...webhook },
    { id: expect.any(String), ...email, attachCalendar: false },
  ]);
  expect(created).toMatchObject({ action: webhook, secretLast4: secret.slice(-4) });
  const at = `/automations/${created.id}`;
  expect((await world.call(`GET ${at}`)).json.data).toEqual(created);

  const url = `${nowhere}moved`;
  const second = { ...email, to: 'members', subject: 'New: {{name}}, {{email}}' };
  const changed = await world.call(`PATCH ${at}`, {
    actions: [{ ...mail, text: 'New text' }, second, { type: 'webhook', url }],
  });
  expect(changed.json.data.actions).toEqual([
    { ...hook, url },
    { ...mail, text: 'New text' },
    { id: expect.any(String), ...second, attachCalendar: false },
  ]);
  expect(changed.json.data).toMatchObject({ secretLast4: created.secretLast4 });
  expect(changed.json.data).not.toHaveProperty('secret');

  const byOldClient = await world.call(`PATCH ${at}`, { action: webhook });
  expect(byOldClient.json.data.actions).toEqual([hook, ...changed.json.data.actions.slice(1)]);

  const without = (await world.call(`PATCH ${at}`, { actions: [mail] })).json.data;
  const none = { action: null, health: null, secretLast4: null, secretRotatedAt: null, halted: false };
  expect(without).toMatchObject({ ...none, actions: [mail] });
  for (const route of [
    `POST ${at}/rotate-secret`,
    `POST ${at}/test`,
    `POST ${at}/probe`,
    `GET ${at}/deliveries`,
    `POST ${at}/deliveries/${created.id}/redeliver`,
  ]) {
    const refused = await world.call(route);
    expect([refused.status, refused.json.code], route).toEqual([404, 'rule_without_webhook']);
  }
  const halted = await world.call(`PATCH ${at}`, { halted: true });
  expect(halted.json.issues).toEqual([{ path: 'halted', message: 'Only for rules with a webhook.' }]);

  const again = (await world.call(`PATCH ${at}`, { actions: [webhook] })).json.data;
  expect(again.secretLast4).toBe(again.secret.slice(-4));
  expect(again.secret).not.toBe(secret);
  expect(again.actions[0].id).not.toBe(hook.id);
});

test('a rule with mails alone is made without a secret, and is in no list of endpoints', async ({
  world,
  dashboard,
}) => {
  const { json } = await world.call('POST /automations', { ...rule, actions: [email] });
  expect(json.data).toMatchObject({ secret: null, action: null, secretLast4: null });
  expect((await world.rest('GET /webhook-endpoints')).json.data).toEqual([]);
  const { id: webinarId } = world.webinar;
  expect(await dashboard.query('deliveries.list', { webinarId, sourceId: json.data.id })).toEqual([]);
  expect(await dashboard.query('deliveries.newest', { webinarId })).toEqual([]);
  expect(await dashboard.query('automations.find', { id: json.data.id })).toMatchObject({
    hasEndpoint: false,
  });
  const neighbour = await world.neighbour();
  const theirs = `/webinars/${webinarId}/automations/${json.data.id}`;
  expect((await neighbour.rest(`PATCH ${theirs}`, { actions: [email] })).status).toBe(404);
});

test('wrong actions are refused with their fields, and nothing is stored', async ({ world }) => {
  const members = { ...email, to: 'members' };
  const stranger = '019aa000-0000-7000-8000-000000000000';
  const refusals: [object, string[]][] = [
    [{}, ['action']],
    [{ actions: [] }, ['actions']],
    [{ actions: Array.from({ length: 6 }, () => email) }, ['actions']],
    [{ actions: [webhook, webhook] }, ['actions']],
    [{ action: webhook, actions: [email] }, ['actions']],
    [{ action: { ...webhook, type: 'email' } }, ['action.type']],
    [{ actions: [{ ...email, type: 'sms' }] }, ['actions.0.type']],
    [{ actions: [email, { ...email, colour: 'red' }] }, ['actions.1.colour']],
    [{ actions: [{ ...email, id: stranger }] }, ['actions.0.id']],
    [{ actions: [{ ...webhook, url: 'https://192.168.0.1/' }] }, ['actions.0.url']],
    [
      { actions: [{ ...email, to: 'all', purpose: 'fun', subject: '', text: 'x'.repeat(10_001) }] },
      ['actions.0.purpose', 'actions.0.subject', 'actions.0.text', 'actions.0.to'],
    ],
    [
      { actions: [{ ...email, subject: 'Hello\r\nBcc: eve@example.com', text: 'Hello {{nmae}}' }] },
      ['actions.0.subject', 'actions.0.text'],
    ],
    [
      {
        actions: [{ ...members, purpose: 'marketing', text: 'Join: {{ joinLink }}', attachCalendar: true }],
      },
      ['actions.0.attachCalendar', 'actions.0.purpose', 'actions.0.text'],
    ],
  ];
  for (const [wrong, paths] of refusals) {
    const answer = await world.call('POST /automations', { ...rule, ...wrong });
    const issues = answer.json.issues.map((issue: { path: string }) => issue.path).toSorted();
    expect([answer.status, issues], JSON.stringify(wrong).slice(0, 200)).toEqual([422, paths]);
  }
  expect(await world.get('/automations')).toEqual([]);
  const { id } = await world.rule(nowhere);
  const { json } = await world.call(`PATCH /automations/${id}`, {
    actions: [
      { ...email, text: '{{nmae}}' },
      { ...email, id: stranger },
    ],
  });
  expect(json.issues).toEqual([{ path: 'actions.0.text', message: 'There is no variable {{nmae}}.' }]);
  expect((await world.get(`/automations/${id}`)).actions).toMatchObject([webhook]);
});
