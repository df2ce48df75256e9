import { createId } from '@service/database';
import { expect } from 'vitest';
import { happened, test } from './subscriber-world.ts';

const countStatements = `
  create table public.statement (relation text);
  create function public.count_statement() returns trigger language plpgsql as
    $$ begin insert into public.statement values (tg_relid::regclass::text); return null; end $$;
  create trigger counted after insert on automations.firing for each statement execute function public.count_statement();
  create trigger counted after insert on automations.execution for each statement execute function public.count_statement();
  create trigger counted after insert on deliveries.delivery for each statement execute function public.count_statement();
  create trigger counted after insert on deliveries.due for each statement execute function public.count_statement()`;

const statements = 'select relation, count(*)::int from public.statement group by relation order by relation';

test('a batch of registrations is evaluated and queued with one statement for each table', async ({
  world,
}) => {
  const { pool } = world.service.db.database;
  await world.rule({ type: 'registered' });
  const conditions = [{ field: 'utm.source', operator: 'eq', value: 'even' }];
  const id = await world.rule({ type: 'registered' }, { conditions });
  await pool.query(countStatements);

  const { sessionTime } = world.webinar;
  const registrations = Array.from({ length: 500 }, (_unused, index) => ({
    name: 'Ada',
    email: `ada${index}@example.com`,
    sessionTime,
    utm: { source: index % 2 === 0 ? 'even' : 'odd' },
  }));
  const bulk = await world.call('POST /registrations/bulk', { registrations });
  expect(bulk.status).toBe(200);

  const { rows } = await pool.query(statements);
  expect(rows).toEqual([
    { relation: 'automations.execution', count: 1 },
    { relation: 'deliveries.delivery', count: 1 },
    { relation: 'deliveries.due', count: 1 },
  ]);
  const { rows: written } = await pool.query(
    `select outcome, count(*)::int, count(delivery.id)::int as deliveries,
       count(distinct kept.body::jsonb #>> '{attendee,registration_id}')::int as attendees
     from automations.execution
     left join deliveries.delivery on delivery.id = execution.delivery_id
     left join deliveries.body kept on kept.id = coalesce(delivery.body_id, delivery.id)
       and kept.body::jsonb #>> '{attendee,registration_id}' = execution.registration_id::text
     where rule_id = $1 group by outcome order by outcome`,
    [id],
  );
  expect(written).toEqual([
    { outcome: 'matched', count: 250, deliveries: 250, attendees: 250 },
    { outcome: 'skipped', count: 250, deliveries: 0, attendees: 0 },
  ]);
});

test('a batch of other events needs one more statement for its keys', async ({ world }) => {
  const { pool } = world.service.db.database;
  const conditions = [{ field: 'chatMessage', operator: 'exists', value: false }];
  for (const rest of [{}, { conditions }]) await world.rule({ type: 'cta_click' }, rest);
  const ada = await world.registrant('ada@example.com');
  await pool.query(countStatements);
  const clicks = Array.from({ length: 500 }, () =>
    happened(ada, 'cta_click', { data: { interactionId: createId() } }),
  );
  await world.publish(clicks);
  const { rows } = await pool.query(statements);
  expect(rows).toEqual([
    { relation: 'automations.execution', count: 1 },
    { relation: 'automations.firing', count: 1 },
    { relation: 'deliveries.delivery', count: 1 },
    { relation: 'deliveries.due', count: 1 },
  ]);
  const { rows: written } = await pool.query('select count(*)::int from deliveries.delivery');
  expect(written).toEqual([{ count: 1000 }]);
});

test('a batch with more than a thousand evaluations writes each once, with its delivery', async ({
  world,
}) => {
  const { pool } = world.service.db.database;
  const rules = [];
  for (let index = 0; index < 5; index += 1) rules.push(await world.rule({ type: 'cta_click' }));
  const ada = await world.registrant('ada@example.com');
  const clicks = Array.from({ length: 500 }, () =>
    happened(ada, 'cta_click', { data: { interactionId: createId() } }),
  );
  await world.publish(clicks);
  const { rows } = await pool.query(
    `select e.rule_id, count(distinct e.event_id)::int as events, count(distinct d.id)::int as deliveries
     from automations.execution e join deliveries.delivery d on d.id = e.delivery_id
     where e.outcome = 'matched' group by e.rule_id order by e.rule_id`,
  );
  expect(rows).toEqual(
    rules.toSorted().map((rule_id) => ({ rule_id, events: clicks.length, deliveries: clicks.length })),
  );
  const { rows: written } = await pool.query('select count(*)::int from automations.execution');
  expect(written).toEqual([{ count: 2500 }]);
});
