import { expect } from 'vitest';
import { nowhere, ruleTo, test } from './automation-world.ts';

const rule = '/webinars/{webinarId}/automations/{ruleId}';
const webhook = '/webinars/{webinarId}/webhooks/{webhookId}';

/** Writes below rules and subscriptions that do not change when they fire. */
const besides = [rule, webhook].flatMap((path) => [
  `POST ${path}/rotate-secret`,
  `POST ${path}/test`,
  `POST ${path}/probe`,
  `POST ${path}/deliveries/{deliveryId}/redeliver`,
  `POST ${path}/waiting/send`,
  `POST ${path}/waiting/stop`,
  `POST ${path}/recoveries`,
  `POST ${path}/recoveries/preview`,
  `POST ${path}/recoveries/{recoveryId}/cancel`,
]);

test('every call that changes rules increments the version of its webinar, and of no other', async ({
  world,
}) => {
  const { pool } = world.service.db.database;
  const versions = async (): Promise<Record<string, number>> => {
    const { rows } = await pool.query('select webinar_id, version from automations.rule_set');
    return Object.fromEntries(rows.map((row) => [row.webinar_id, row.version]));
  };
  const moved: string[] = [];
  /** Makes a call that must increment the version by one. */
  const change = async (route: string, path: string, body?: unknown): Promise<string> => {
    const before = (await versions())[world.webinar.id] ?? 0;
    const [method] = route.split(' ');
    const answer = await world.call(`${method} ${path}`, body);
    expect(answer.status, route).toBeLessThan(300);
    expect(await versions(), route).toEqual({ [world.webinar.id]: before + 1 });
    moved.push(route);
    return answer.json?.data.id;
  };

  const ruleId = await change('POST /webinars/{webinarId}/automations', '/automations', ruleTo(nowhere));
  const url = `${nowhere}/elsewhere`;
  for (const body of [
    { name: 'Renamed' },
    { enabled: false },
    { enabled: true },
    { trigger: { type: 'joined' } },
    { conditions: [{ field: 'joined', operator: 'eq', value: true }] },
    { action: { type: 'webhook', url } },
  ])
    await change(`PATCH ${rule}`, `/automations/${ruleId}`, body);
  await change(`DELETE ${rule}`, `/automations/${ruleId}`);

  const subscription = { url: nowhere, eventTypes: ['registered'] };
  const webhookId = await change('POST /webinars/{webinarId}/webhooks', '/webhooks', subscription);
  for (const body of [{ eventTypes: ['joined'] }, { active: false }, { active: true }, { url }])
    await change(`PATCH ${webhook}`, `/webhooks/${webhookId}`, body);
  await change(`DELETE ${webhook}`, `/webhooks/${webhookId}`);

  const { paths } = (await (await fetch(`${world.service.baseUrl}/api/v1/openapi.json`)).json()) as {
    paths: Record<string, Record<string, unknown>>;
  };
  const writes = Object.entries(paths)
    .filter(([path]) => /\/(automations|webhooks)(\/|$)/.test(path))
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`))
    .filter((route) => /^(POST|PATCH|PUT|DELETE) /.test(route));
  expect(new Set([...moved, ...besides])).toEqual(new Set(writes));
});
