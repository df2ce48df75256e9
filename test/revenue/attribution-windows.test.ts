import { expect, test } from 'vitest';
import { refusalOf } from '../support/dashboard.ts';
import { createAttributionWorld, factOf, neighbourOf, type AttributionWorld } from './attribution-world.ts';

interface Sums {
  currency: string;
  purchases: number;
  grossMinor: number;
  netMinor: number;
}

/** A query of the dashboard by the owner. */
const ask = <Data>({ owner }: AttributionWorld, procedure: string, input?: object): Promise<Data> =>
  owner.query(`revenueWindow.${procedure}`, input);

const change = ({ owner }: AttributionWorld, windowDays: number): Promise<unknown> =>
  owner.mutate('revenueWindow.change', { windowDays });

/** Purchases of people who registered so many days before, in two currencies. */
async function buyAfter(world: AttributionWorld, days: readonly number[]): Promise<string[]> {
  const facts = [];
  for (const [index, age] of days.entries()) {
    const email = `buyer${index}@example.com`;
    await world.age(await world.register(email), age);
    facts.push(
      factOf('purchase', { email, amountMinor: 100 * (index + 1), currency: index % 2 ? 'JPY' : 'EUR' }),
    );
  }
  return world.recordAll(facts);
}

const levelsOf = async (world: AttributionWorld, ids: readonly string[]): Promise<string[]> =>
  (await Promise.all(ids.map((id) => world.event(id)))).map(({ credit }) => credit.level);

const ages = [0, 3, 6, 10, 20, 29, 31, 50, 80, 100];

const expectedLevels = (days: number): string[] =>
  ages.map((age) => (age < days ? 'registered' : 'unattributed'));

test('a window change moves exactly what its preview shows, and back again', async () => {
  await using world = await createAttributionWorld();
  const ids = await buyAfter(world, ages);
  expect(await levelsOf(world, ids)).toEqual(expectedLevels(30));
  let before = 30;
  for (const days of [7, 90, 1, 60, 30]) {
    const preview = await ask<{ totals: Sums[]; compared: number; comparedSince: null }>(world, 'preview', {
      windowDays: days,
    });
    const moved = ages.map((age, index) => ({ age, index })).filter(({ age }) => age < before !== age < days);
    const sumOf = (currency: string, remainder: number) => {
      const own = moved.filter(({ index }) => index % 2 === remainder);
      const gross = own.reduce((sum, { index }) => sum + 100 * (index + 1), 0);
      return own.length === 0
        ? []
        : [{ currency, purchases: own.length, grossMinor: gross, netMinor: gross }];
    };
    expect(preview.totals.toSorted((a, b) => a.currency.localeCompare(b.currency))).toEqual([
      ...sumOf('EUR', 0),
      ...sumOf('JPY', 1),
    ]);
    expect([preview.compared, preview.comparedSince]).toEqual([ages.length, null]);
    const { data } = (await world.rest(`GET /revenue/window?preview=${days}`)).json;
    expect(data).toMatchObject({ windowDays: before, preview: { credits: moved.length } });
    const ofWebinar = await world.rest(`GET /revenue/window?preview=${days}&webinarId=${world.webinar.id}`);
    expect(ofWebinar.json.data.preview.credits).toBe(moved.length);
    // A preview changes nothing.
    expect(await levelsOf(world, ids)).toEqual(expectedLevels(before));
    await change(world, days);
    await world.finishRuns();
    expect(await levelsOf(world, ids)).toEqual(expectedLevels(days));
    expect(await ask(world, 'progress')).toMatchObject({
      state: 'done',
      total: ages.length,
      checked: ages.length,
      moved: moved.length,
    });
    expect(await ask(world, 'get')).toMatchObject({ windowDays: days });
    before = days;
  }
});

test('refunds and totals move with their purchase, and no rule fires', async () => {
  await using world = await createAttributionWorld();
  const rule = await world.rule('http://127.0.0.1:9/', { trigger: { type: 'purchase', params: {} } });
  await world.age(await world.register('ada@example.com'), 40);
  const purchase = factOf('purchase');
  const refund = factOf('refund', { amountMinor: -300, paymentKeys: purchase.paymentKeys });
  const ids = await world.recordAll([purchase, refund]);
  expect(await levelsOf(world, ids)).toEqual(['unattributed', 'unattributed']);
  await change(world, 60);
  await world.finishRuns();
  expect(await levelsOf(world, ids)).toEqual(['registered', 'registered']);
  const { rows } = await world.service.db.database.pool.query(
    `select key, sum(gross_minor + refunds_minor)::int as net from revenue.total
     where account_id = $1 and webinar_id = $2 and dimension = 'level'
     group by key having sum(gross_minor + refunds_minor) <> 0`,
    [world.accountId, '00000000-0000-0000-0000-000000000000'],
  );
  expect(rows).toEqual([{ key: 'registered', net: 700 }]);
  const { json } = await world.call(`GET /automations/${rule.id}/executions`);
  expect(json.data).toEqual([]);
  const { json: list } = await world.call('GET /registrations?purchased=true');
  expect(list.data).toHaveLength(1);
});

test('a changed window of a webinar attributes its purchases again, and another change of the webinar does not', async () => {
  await using world = await createAttributionWorld();
  const ids = await buyAfter(world, [3, 20]);
  await world.rest(`PATCH /webinars/${world.webinar.id}`, { title: 'Renamed' });
  expect(await ask(world, 'progress')).toBeNull();
  const input = { webinarId: world.webinar.id, windowDays: 7 };
  const preview = await ask<{ totals: Sums[]; moves: object[] }>(world, 'preview', input);
  expect(preview.totals).toMatchObject([{ currency: 'JPY', purchases: 1, grossMinor: 200 }]);
  expect(preview.moves).toMatchObject([
    {
      from: { level: 'registered', webinarTitle: 'Renamed' },
      to: { level: 'unattributed', webinarId: null },
    },
  ]);
  await world.rest(`PATCH /webinars/${world.webinar.id}`, { attribution: { windowDays: 7 } });
  await world.finishRuns();
  expect(await levelsOf(world, ids)).toEqual(['registered', 'unattributed']);
  expect((await world.event(ids[0]!)).credit.windowDays).toBe(7);
  // The workspace does not decide for a webinar with a window of its own.
  await change(world, 90);
  await world.finishRuns();
  expect(await levelsOf(world, ids)).toEqual(['registered', 'unattributed']);
  await world.rest(`PATCH /webinars/${world.webinar.id}`, { attribution: { windowDays: null } });
  await world.finishRuns();
  expect(await levelsOf(world, ids)).toEqual(['registered', 'registered']);
});

test('purchases that arrive during a run, and several workers, end with the new window', async () => {
  await using world = await createAttributionWorld();
  for (const [index, age] of [3, 20].entries())
    await world.age(await world.register(`buyer${index}@example.com`), age);
  const many = (count: number) =>
    Array.from({ length: count }, (_, index) =>
      factOf('purchase', { email: `buyer${index % 2}@example.com`, amountMinor: 1 }),
    );
  const ids = await world.recordAll(many(500));
  ids.push(...(await world.recordAll(many(100))));
  const during = Promise.all([1, 2, 3, 4].map(() => world.recordAll(many(50))));
  const changed = change(world, 7);
  await Promise.all([during, changed]);
  await Promise.all([world.work(), world.work(), world.work()]);
  ids.push(...(await during).flat());
  await world.finishRuns();
  const { rows } = await world.service.db.database.pool.query(
    `select level, count(*)::int from revenue.credit where account_id = $1 group by level order by level`,
    [world.accountId],
  );
  expect(rows).toEqual([
    { level: 'registered', count: ids.length / 2 },
    { level: 'unattributed', count: ids.length / 2 },
  ]);
  const { rows: windows } = await world.service.db.database.pool.query(
    'select distinct window_days from revenue.credit where account_id = $1',
    [world.accountId],
  );
  expect(windows).toEqual([{ window_days: 7 }]);
});

test('a run that fails in the middle goes on where it was, and does not stop the run of another workspace', async () => {
  await using world = await createAttributionWorld();
  const other = await neighbourOf(world);
  for (const each of [world, other]) await each.age(await each.register('ada@example.com'), 20);
  const ids = await world.recordAll(Array.from({ length: 300 }, () => factOf('purchase')));
  const [theirs] = await other.recordAll([factOf('purchase')]);
  const { pool } = world.service.db.database;
  await pool.query(`
    create function revenue.refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
    create trigger refuse before update on revenue.credit for each row
      when (old.id = '${ids.toSorted().at(-1)}') execute function revenue.refuse()`);
  await change(world, 7);
  await change(other, 7);
  await expect(world.work()).rejects.toThrow();
  expect(await ask(world, 'progress')).toMatchObject({
    state: 'running',
    total: 300,
    checked: 250,
    moved: 250,
  });
  expect(await levelsOf(other, [theirs!])).toEqual(['unattributed']);
  await pool.query('drop trigger refuse on revenue.credit');
  await world.finishRuns();
  expect(await ask(world, 'progress')).toMatchObject({ state: 'done', checked: 300, moved: 300 });
});

test('a click that was deleted with old events keeps its credit in a run', async () => {
  await using world = await createAttributionWorld();
  const { clickId, at } = await world.click('ada@example.com');
  const id = await world.record('purchase', { email: 'ada@work.example', clickId, occurredAt: at });
  await world.service.db.database.pool.query('delete from attendees.attendee_event where account_id = $1', [
    world.accountId,
  ]);
  await change(world, 60);
  await world.finishRuns();
  expect((await world.event(id)).credit).toMatchObject({
    level: 'offer_click',
    matchedBy: 'click_id',
    interactionId: world.offer,
    windowDays: 60,
  });
});

test('a window change of one workspace changes nothing in another', async () => {
  await using world = await createAttributionWorld();
  const other = await neighbourOf(world);
  const ids = await buyAfter(other, [20]);
  await change(world, 7);
  await world.finishRuns();
  expect(await levelsOf(other, ids)).toEqual(['registered']);
  expect(await ask(other, 'get')).toMatchObject({ windowDays: 30, run: null });
  const { totals } = await ask<{ totals: Sums[] }>(world, 'preview', {
    webinarId: other.webinar.id,
    windowDays: 1,
  });
  expect(totals).toEqual([]);
});

test('only 1, 7, 14, 30, 60 and 90 days are windows, of a workspace and of a webinar', async () => {
  await using world = await createAttributionWorld();
  for (const windowDays of [0, 2, 31, 365, 1.5]) {
    expect(await refusalOf(change(world, windowDays))).toBe('validation_failed');
    const { status } = await world.rest(`PATCH /webinars/${world.webinar.id}`, {
      attribution: { windowDays },
    });
    expect(status).toBe(422);
  }
  await change(world, 30);
  expect(await ask(world, 'get')).toMatchObject({ windowDays: 30, run: null });
});
