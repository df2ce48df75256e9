import { expect, test } from 'vitest';
import { callTool } from '../support/mcp.ts';
import { createWorld } from '../support/world.ts';

const dayMs = 86_400_000;
const daysAgo = (days: number): string => new Date(Date.now() - days * dayMs).toISOString();

test('the report of a webinar of two years ago has its revenue, also with an end in the far future', async () => {
  await using world = await createWorld();
  const { pool } = world.service.db.database;
  await pool.query(`update webinars.webinar set created_at = $1`, [daysAgo(750)]);
  for (const days of [800, 700, 300, 0])
    await pool.query(
      `insert into revenue.total (account_id, webinar_id, dimension, day, currency, key, gross_minor, refunds_minor,
         chargebacks_minor, purchases, refunds, chargebacks)
       values ($1, $2, 'level', $3, 'EUR', 'registered', 1000, 0, 0, 1, 0, 0)`,
      [world.accountId, world.webinar.id, daysAgo(days).slice(0, 10)],
    );
  const revenueOf = async (range: object) => {
    const report = await callTool(world.service, world.key, 'get_webinar_report', {
      webinarId: world.webinar.id,
      ...range,
    });
    return report.data.data?.revenue ?? report.data;
  };
  const sum = (purchases: number) => [{ currency: 'EUR', netMinor: purchases * 1000, purchases }];
  expect(await revenueOf({ from: daysAgo(720), to: daysAgo(690) })).toEqual(sum(3));
  expect(await revenueOf({ from: '2001-01-01T00:00:00Z' })).toEqual(sum(3));
  expect(await revenueOf({ from: daysAgo(310), to: '2099-12-31T23:00:00Z' })).toEqual(sum(2));
  expect(await revenueOf({})).toEqual(sum(1));
  expect(await revenueOf({ from: '2090-01-01T00:00:00Z', to: '2091-01-01T00:00:00Z' })).toEqual([]);
});
