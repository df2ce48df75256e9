import { createId } from '@service/database';
import { expect } from 'vitest';
import { onStatement } from '../support/sent-statements.ts';
import { happened, test } from './subscriber-world.ts';

test('executions are listed by rule or webinar, and filtered by session, outcome and registration, page by page', async ({
  world,
}) => {
  const ruleId = await world.rule({ type: 'joined' });
  const never = await world.rule({ type: 'joined' }, { enabled: false });
  const [ada, bob] = [await world.registrant('ada@example.com'), await world.registrant('bob@example.com')];
  const elsewhere = { ...ada, registration: { ...ada.registration, sessionId: createId() } };
  const events = [ada, elsewhere, ada, elsewhere, bob].map((who) => happened(who, 'joined'));
  await world.publish(events);
  const seen = async (path: string) =>
    (await world.get(path)).map(({ eventId }: { eventId: string }) =>
      events.findIndex(({ id }) => id === eventId),
    );
  const mine = `sessionId=${ada.registration.sessionId}&registrationId=${ada.registration.id}`;
  expect(await seen('/executions')).toEqual([4, 3, 2, 1, 0]);
  expect(await seen(`/automations/${ruleId}/executions?outcome=matched`)).toEqual([4, 1, 0]);
  expect(await seen(`/automations/${never}/executions`)).toEqual([]);
  expect(await seen(`/executions?${mine}`)).toEqual([2, 0]);
  expect(await seen(`/executions?${mine}&outcome=matched`)).toEqual([0]);
  expect(await seen(`/executions?sessionId=${createId()}`)).toEqual([]);
  const { nextCursor } = (await world.call(`GET /executions?${mine}&limit=1`)).json.pagination;
  expect(await seen(`/executions?${mine}&limit=1&cursor=${nextCursor}`)).toEqual([0]);
  expect((await world.call(`GET /executions?limit=1&cursor=${nextCursor}`)).status).toBe(400);
});

test('executions of the last months are listed newest first, also filtered and page by page', async ({
  world,
}) => {
  const { pool } = world.service.db.database;
  await world.rule({ type: 'joined' });
  const ada = await world.registrant('ada@example.com');
  await world.publish([happened(ada, 'joined')]);
  const [made] = await world.executions();
  const idBefore = (days: number) => createId(new Date(Date.now() - days * 86_400_000));
  const [webinarId, newest, ...older] = [90, 0, 1, 2, 3, 14, 16, 80].map(idBefore);
  await pool.query(
    `insert into webinars.webinar
     select (jsonb_populate_record(w, jsonb_build_object('id', $3::uuid, 'slug', 'old-abcdef'))).*
     from webinars.webinar w where w.account_id = $1 and w.id = $2`,
    [world.accountId, world.webinar.id, webinarId],
  );
  await pool.query(
    `insert into automations.execution
     select (jsonb_populate_record(e, jsonb_build_object('id', older, 'webinar_id', $3::uuid,
       'outcome', case when place % 2 = 1 and place > 1 then 'skipped' else 'matched' end))).*
     from automations.execution e cross join unnest($2::uuid[]) with ordinality as o (older, place) where e.id = $1`,
    [made.id, [newest, ...older], webinarId],
  );
  const ids = async (query: string): Promise<string[]> => {
    const listed: string[] = [];
    for (let cursor = ''; ;) {
      const { data, pagination } = (
        await world.rest(`GET /webinars/${webinarId}/executions?limit=2${query}${cursor}`)
      ).json;
      listed.push(...data.map(({ id }: { id: string }) => id));
      if (pagination.nextCursor === null) return listed;
      cursor = `&cursor=${pagination.nextCursor}`;
    }
  };
  expect(await ids('')).toEqual([newest, ...older]);
  expect(await ids('&outcome=skipped')).toEqual([older[1], older[3], older[5]]);
  const from = new Date(Date.now() - 15 * 86_400_000).toISOString();
  expect(await ids(`&from=${from}`)).toEqual([newest, ...older.slice(0, 4)]);
});

test('the executions of a new webinar are read with one statement', async ({ world }) => {
  let statements = 0;
  using _counting = onStatement(({ text }) => {
    if (text.includes('automations.execution')) statements += 1;
  });
  expect((await world.call('GET /executions')).json.data).toEqual([]);
  expect(statements).toBe(1);
});

test('lastFiredAt is the last firing, regardless of later executions', async ({ world }) => {
  const ruleId = await world.rule({ type: 'joined' });
  await world.rule({ type: 'joined' }, { conditions: [{ field: 'purchased', operator: 'eq', value: true }] });
  const ada = await world.registrant('ada@example.com');
  await world.publish([happened(ada, 'joined')]);
  await world.publish([happened(ada, 'joined')]);
  const fired = (await world.executions()).find(({ outcome }) => outcome === 'matched');
  const { data } = (await world.call('GET /automations')).json;
  expect(data.map((rule: { lastFiredAt: string }) => rule.lastFiredAt)).toEqual([null, fired.createdAt]);
  const { data: one } = (await world.call(`GET /automations/${ruleId}`)).json;
  expect(one.lastFiredAt).toBe(fired.createdAt);
});
