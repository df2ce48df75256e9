// A database of the version of 2026-11-22, when registrations belonged to webinars, with rows in nearly every table. No worker
// runs here, so nothing in it becomes too old.
import { readFile } from 'node:fs/promises';
import { migrateService, serviceEntities } from '@service/composition';
import { openDatabase } from '@service/database';
import { cloneTemplate } from '@service/database/testing';
import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { callRest, testApi } from '../support/api.ts';

const dump = new URL('former-version/database-20261122.sql', import.meta.url);

/** Ids of the dump. The key has full access. */
const key = 'svc_live_IShvouWJedbfw2C9vZEXzO4O0xFpGkhE';
const encryptionKey = 'BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=';
const adaptive = '01a203bd-3120-7614-877b-e10a217a44e3';
const standard = '01a203bd-4c8a-74e8-8d73-0376e75f8ba7';
const [offer, poll] = ['01a203bd-35ce-7577-bb51-1ec4ca24b29b', '01a203bd-375b-70a1-a469-5cbca20e7fb2'];
const ada = '01a203bd-4092-73fb-8282-c9563f73a4b5';
const joinPath = '/room/AaIDvSiBcoCb1_ZYiLjHHAGiA71AknP7goLJVj9zpLUAAAABnCbIbRHzmmPDaE412B1X7Q';

/** Tables that a migration moved to another schema. */
const movedTo: Record<string, string> = {
  'webinars.registration': 'attendees.registration',
  'webinars.attendance': 'attendees.attendance',
  'webinars.poll_count': 'attendees.poll_count',
  'webinars.attendee_event': 'attendees.attendee_event',
};

type Row = Record<string, unknown>;

async function restore() {
  const { url, drop } = await cloneTemplate(inject('adminUrl'), 'template0');
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  await pool.query(await readFile(dump, 'utf8'));
  // The dump has emptied the search path of its connection.
  await pool.query('reset search_path');
  return {
    url,
    pool,
    async [Symbol.asyncDispose]() {
      await pool.end();
      await drop();
    },
  };
}

/** The rows of every table of ours; those of partitions under the name of their table. */
async function readTables(pool: pg.Pool): Promise<Map<string, Row[]>> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select n.nspname || '.' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p') and not c.relispartition
       and n.nspname not in ('pg_catalog', 'information_schema', 'graphile_worker', 'public') order by 1`,
  );
  const rowsByTable = new Map<string, Row[]>();
  for (const { name } of tables) {
    const { rows } = await pool.query<{ row: Row }>(`select to_jsonb(t) as row from ${name} t`);
    rowsByTable.set(
      name,
      rows.map(({ row }) => row),
    );
  }
  return rowsByTable;
}

/** Rows as text in a fixed order, with the given columns only. */
const textsOf = (rows: readonly Row[], columns: readonly string[]): string[] =>
  rows.map((row) => JSON.stringify(columns.map((column) => row[column]))).toSorted();

/** The former default of 30 days became the window of the workspace. Every webinar of the dump has it. */
const withDefaultWindow = (webinar: Row): Row => {
  expect(webinar).toMatchObject({ attribution: { windowDays: 30 } });
  return { ...webinar, attribution: { windowDays: null } };
};

test('a database of the former version keeps every row, and sessions get the count of their registrations', async () => {
  await using db = await restore();
  const before = await readTables(db.pool);
  expect(before.get('webinars.registration')!.length).toBeGreaterThan(10);
  await migrateService(db.url);
  const after = await readTables(db.pool);
  for (const [name, rows] of before) {
    const columns = Object.keys(rows[0] ?? {});
    const kept = after.get(movedTo[name] ?? name);
    const expected = name === 'webinars.webinar' ? rows.map(withDefaultWindow) : rows;
    expect(kept && textsOf(kept, columns), name).toEqual(textsOf(expected, columns));
  }

  // Every key of the dump has full access.
  expect(new Set(after.get('keys.api_key')!.map(({ preset }) => preset))).toEqual(new Set(['full']));

  const registrations = before.get('webinars.registration')!;
  expect(new Set(registrations.map(({ status }) => status))).toContain('cancelled');
  for (const session of after.get('webinars.session')!) {
    const own = registrations.filter((registration) => registration['session_id'] === session['id']);
    expect(session).toMatchObject({
      registered_count: own.filter(({ status }) => status !== 'cancelled').length,
      was_booked: own.length > 0,
    });
  }
  expect(await migrateService(db.url)).toEqual([]);
});

test('the API reads and changes what the former version wrote', async () => {
  await using db = await restore();
  await migrateService(db.url);
  const database = await openDatabase({ url: db.url, entities: serviceEntities, name: 'test' });
  const closing = { database, url: db.url, [Symbol.asyncDispose]: async () => undefined };
  const service = await testApi({ shared: closing, options: { encryptionKey } });
  const call = async (route: string, webinarId: string = adaptive) => {
    const answer = await callRest(service, route.replace(' .', ` /webinars/${webinarId}`), { key });
    expect(answer.status, `${route}: ${answer.text}`).toBe(200);
    return answer.json.data;
  };
  try {
    expect(await call('GET .')).toMatchObject({ title: 'Adaptive', status: 'published' });
    expect(await call(`GET ./registrations/${ada}`)).toMatchObject({
      name: 'Ada',
      status: 'attended',
      customFields: { company: 'Engines' },
      attendance: { watchedSeconds: 300 },
    });
    const timeline = (await call(`GET ./registrations/${ada}/events?limit=100`)) as { type: string }[];
    expect(timeline.map(({ type }) => type).toReversed()).toEqual([
      'registered',
      'joined',
      'cta_click',
      'poll_response',
      'chat_response',
      'watched_minutes',
      'video_complete',
      'segment_completed',
      'branch_taken',
      'left',
    ]);
    expect(await call(`GET ./interactions/${offer}/stats`)).toMatchObject({ clicks: 1, uniqueClickers: 1 });
    expect(await call(`GET ./polls/${poll}/responses`)).toHaveLength(2);
    const visit = await fetch(`${service.baseUrl}${joinPath}/visits`, { method: 'POST' });
    expect(visit.status).toBe(201);
    expect(await visit.json()).toMatchObject({ attendee: { name: 'Ada' } });

    const full = async () =>
      ((await call('GET ./sessions', standard)) as { id: string; registrationCount: number }[]).find(
        ({ registrationCount }) => registrationCount > 1,
      )!;
    const { id, registrationCount } = await full();
    expect(registrationCount).toBe(3);
    const [registration] = await call(`GET ./registrations?sessionId=${id}&status=registered`, standard);
    await call(`POST ./registrations/${registration.id}/cancel`, standard);
    expect((await full()).registrationCount).toBe(2);
  } finally {
    await service[Symbol.asyncDispose]();
    await database.close();
  }
});
