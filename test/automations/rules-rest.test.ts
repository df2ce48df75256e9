import { expect } from 'vitest';
import { openDashboard } from '../support/dashboard.ts';
import { nowhere, ruleTo, test } from './automation-world.ts';

test('a rule is created, read, changed, listed and deleted', async ({ world }) => {
  const { webinar } = world;
  const body = {
    ...ruleTo(nowhere),
    name: ' To the CRM ',
    trigger: { type: 'chat_response', params: { keywords: ['price'] } },
    conditions: [{ field: 'joined', operator: 'eq', value: true }],
  };
  const made = await world.call('POST /automations', body);
  expect(made.status).toBe(201);
  const { secret, ...created } = made.json.data;
  const at = `/automations/${created.id}`;
  expect(made.headers.get('location')).toBe(`/api/v1/webinars/${webinar.id}${at}`);
  expect(secret).toMatch(/^whsec_/);
  expect(created).toEqual({
    id: expect.any(String),
    webinarId: webinar.id,
    name: 'To the CRM',
    enabled: true,
    halted: false,
    trigger: { type: 'chat_response', params: { keywords: ['price'], match: 'contains' } },
    conditions: body.conditions,
    fireMode: 'once_per_session',
    action: body.action,
    actions: [{ id: expect.any(String), ...body.action }],
    health: expect.objectContaining({ status: 'healthy' }),
    secretLast4: secret.slice(-4),
    secretRotatedAt: created.createdAt,
    lastFiredAt: null,
    createdAt: expect.stringMatching(/Z$/),
    updatedAt: created.createdAt,
  });
  const got = await world.call(`GET ${at}`);
  expect(got.json.data).toEqual(created);
  expect(got.text).not.toContain(secret);

  const changes = [
    { name: 'Renamed' },
    { enabled: false },
    { fireMode: 'every_match' },
    { conditions: [] },
    { action: { type: 'webhook', url: `${nowhere}/elsewhere` } },
    { trigger: { type: 'before_session', params: { offsetMinutes: 60 } } },
  ];
  let expected = created;
  for (const change of changes) {
    const answer = await world.call(`PATCH ${at}`, change);
    const { cancelledDeliveries, ...changed } = answer.json.data;
    expect(answer.status, JSON.stringify(change)).toBe(200);
    expected = { ...expected, ...change, updatedAt: changed.updatedAt };
    if ('trigger' in change) expected.fireMode = null;
    if ('action' in change) expected.actions = [{ ...created.actions[0], ...change.action }];
    expect(changed).toEqual(expected);
    expect(cancelledDeliveries?.count).toBe('enabled' in change ? 0 : undefined);
  }
  const other = await world.rule(nowhere);
  await world.call('POST /webhooks', { url: nowhere, eventTypes: ['registered'] });
  const list = await world.call('GET /automations');
  expect(list.json.data.map((rule: { id: string }) => rule.id)).toEqual([other.id, created.id]);
  expect(list.json.data[1]).toEqual(expected);
  expect(await world.get('/webhooks')).toHaveLength(1);
  expect((await world.call(`GET /webhooks/${created.id}`)).status).toBe(404);

  const removed = await world.call(`DELETE ${at}`);
  expect([removed.status, removed.text]).toEqual([204, '']);
  for (const route of [`GET ${at}`, `DELETE ${at}`, `GET ${at}/executions`, `POST ${at}/rotate-secret`])
    expect((await world.call(route)).json.code, route).toBe('rule_not_found');
});

const offset = (offsetMinutes: number) => ({ type: 'before_session', params: { offsetMinutes } });

test('an invalid rule is refused with its fields, and nothing is stored', async ({ world }) => {
  const good = ruleTo(nowhere);
  const joined = { field: 'joined', operator: 'eq', value: 'yes' };
  const refusals: [Record<string, unknown>, string[]][] = [
    [
      { name: ' ', trigger: offset(0), conditions: [joined] },
      ['conditions.0.value', 'name', 'trigger.params.offsetMinutes'],
    ],
    [{ trigger: { type: 'signed_up' } }, ['trigger.type']],
    [{ trigger: { type: 'joined', params: { minutes: 5 } } }, ['trigger.params.minutes']],
    [{ trigger: undefined }, ['trigger']],
    [{ fireMode: 'every_match' }, ['fireMode']],
    [{ action: { type: 'email', url: nowhere } }, ['action.type']],
    [{ action: { type: 'webhook', url: 'https://192.168.0.1/' } }, ['action.url']],
    [
      {
        action: { type: 'webhook', url: 'https://192.168.0.1/' },
        trigger: { type: 'branch_taken', params: { branchId: world.webinar.id } },
      },
      ['action.url', 'trigger.params.branchId'],
    ],
    [{ action: { type: 'webhook', url: nowhere, method: 'PUT' } }, ['action.method']],
    [{ conditions: 'none' }, ['conditions']],
    [{ colour: 'red' }, ['colour']],
  ];
  for (const [wrong, paths] of refusals) {
    const answer = await world.call('POST /automations', { ...good, ...wrong });
    const issues = answer.json.issues.map((issue: { path: string }) => issue.path).toSorted();
    expect([answer.status, issues], JSON.stringify(wrong)).toEqual([422, paths]);
  }
  expect(await world.get('/automations')).toEqual([]);

  const { id } = (await world.call('POST /automations', good)).json.data;
  for (const [body, path] of [
    [{}, 'body'],
    [{ fireMode: 'every_match' }, 'fireMode'],
    [{ action: { type: 'webhook', url: 'ftp://example.com' } }, 'action.url'],
    [{ conditions: [joined] }, 'conditions.0.value'],
    [{ secret: 'mine' }, 'secret'],
  ] as const) {
    const answer = await world.call(`PATCH /automations/${id}`, body);
    expect([answer.status, answer.json.issues[0].path], JSON.stringify(body)).toEqual([422, path]);
  }
});

test('a rule that names a part that its webinar does not have is refused, and a rule whose poll was deleted can be changed', async ({
  world,
}) => {
  const neighbour = await world.neighbour();
  const cta = { type: 'cta', url: 'https://example.com', buttonLabel: 'Go' };
  const options = [
    { id: 'yes', label: 'Yes' },
    { id: 'no', label: 'No' },
  ];
  const pollId = await world.interaction({ type: 'poll', headline: 'Soon?', options, enabled: false });
  const ids = { pollId, ctaId: await world.interaction(cta), theirs: await neighbour.interaction(cta) };
  const answers = { type: 'poll_response', params: { interactionId: pollId.toUpperCase(), optionId: 'yes' } };
  const made = await world.call('POST /automations', { ...ruleTo(nowhere), trigger: answers });
  expect(made.status).toBe(201);
  const at = `/automations/${made.json.data.id}`;

  const click = (interactionId: string) => ({ type: 'cta_click', params: { interactionId } });
  const noClick = [
    { path: 'trigger.params.interactionId', message: expect.stringContaining('no offer or cta') },
  ];
  const refusals: [object, unknown[]][] = [
    [click(ids.theirs), noClick],
    [click(pollId), noClick],
    [
      { type: 'poll_response', params: { interactionId: pollId, optionId: 'maybe' } },
      [{ path: 'trigger.params.optionId', message: 'The poll has no option with this id.' }],
    ],
    [
      { type: 'branch_taken', params: { branchId: ids.ctaId } },
      [{ path: 'trigger.params.branchId', message: 'The webinar has no branch with this id.' }],
    ],
    [
      { type: 'segment_completed', params: { segmentId: ids.ctaId } },
      [{ path: 'trigger.params.segmentId', message: 'The webinar has no segment with this id.' }],
    ],
  ];
  for (const [trigger, issues] of refusals)
    for (const answer of [
      await world.call('POST /automations', { ...ruleTo(nowhere), trigger }),
      await world.call(`PATCH ${at}`, { trigger }),
    ])
      expect([answer.status, answer.json.issues], JSON.stringify(trigger)).toEqual([422, issues]);
  expect((await world.call(`PATCH ${at}`, { trigger: click(ids.ctaId) })).status).toBe(200);

  const { trigger } = (await world.call(`PATCH ${at}`, { trigger: answers })).json.data;
  expect((await world.call(`DELETE /interactions/${pollId}`)).status).toBe(204);
  expect((await world.call(`PATCH ${at}`, { name: 'Renamed', trigger })).status).toBe(200);
});

test('the secret is returned at creation and rotation, and later only to members', async ({
  world,
  dashboard,
}) => {
  const rule = await world.rule(nowhere);
  const input = { webinarId: world.webinar.id, ruleId: rule.id };
  expect(await dashboard.query('automations.rules.reveal', input)).toEqual({ secret: rule.secret });

  const rotated = await world.call(`POST /automations/${rule.id}/rotate-secret`);
  expect(rotated.status).toBe(200);
  const { secret, ...rest } = rotated.json.data;
  expect(rest).toEqual({
    id: rule.id,
    secretLast4: secret.slice(-4),
    secretRotatedAt: expect.stringMatching(/Z$/),
  });
  expect(secret).not.toBe(rule.secret);
  expect(await dashboard.query('automations.rules.reveal', input)).toEqual({ secret });
  expect(await world.get(`/automations/${rule.id}`)).toMatchObject(rest);
  const neighbour = await world.neighbour();
  const theirs = await openDashboard(world.service, neighbour);
  const foreign = { webinarId: neighbour.webinar.id, ruleId: rule.id };
  await expect(theirs.query('automations.rules.reveal', foreign)).rejects.toThrow('rule_not_found');
  await dashboard.mutate('automations.rules.delete', input);
  await expect(dashboard.query('automations.rules.reveal', input)).rejects.toThrow('rule_not_found');
});
