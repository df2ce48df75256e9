import { createLog } from '@service/log';
import { expect, test } from 'vitest';
import { serviceMigrations } from '@service/composition';
import { testApi } from '../support/api.ts';
import { testDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { testWorker } from '../support/worker.ts';

const names = serviceMigrations.map(({ name }) => name).toSorted();
const own = names.at(-1)!;
/** Older than the last one of this version, but of a branch that this version does not have. */
const unknown = `${names.at(-2)!}-elsewhere`;
const later = '299901010000-change-notes';

test('an API and a worker are ready beside a later migration only if it allows their version', async () => {
  await using db = await testDatabase();
  const lines: string[] = [];
  const log = createLog('test', { level: 'info', destination: { write: (line) => lines.push(line) } });
  await using api = await testApi({ shared: db, options: { log } });
  await using worker = await testWorker(db.url, { log });
  const urls = [`${api.baseUrl}/readyz`, `http://127.0.0.1:${worker.port}/readyz`];
  const ask = () =>
    Promise.all(
      urls.map(async (url) => {
        const answer = await fetch(url);
        return { code: answer.status, status: ((await answer.json()) as { status: string }).status };
      }),
    );
  const record = (compatibleFrom: string | null) =>
    db.database.pool.query(
      `with former as (delete from public.migration where name = $1)
       insert into public.migration (name, compatible_from) values ($1, $2)`,
      [later, compatibleFrom],
    );
  const ok = urls.map(() => ({ code: 200, status: 'ok' }));
  await eventually('both to be ready', async () => (await ask()).every(({ code }) => code === 200));

  for (const { compatibleFrom, oldest } of [
    { compatibleFrom: null, oldest: later },
    { compatibleFrom: `${own}-not-yet`, oldest: `${own}-not-yet` },
    { compatibleFrom: unknown, oldest: unknown },
  ]) {
    await record(compatibleFrom);
    const status =
      `this version is too old for the database: migration ${later} works only with versions that have ` +
      `migration ${oldest}, and this one does not`;
    expect(await ask()).toEqual(urls.map(() => ({ code: 503, status })));
    expect(lines.filter((line) => line.includes(`"status":"${status}`))).toHaveLength(urls.length);
  }

  for (const compatibleFrom of [own, names[0]!]) {
    await record(compatibleFrom);
    await eventually('both to be ready again', async () => (await ask()).every(({ code }) => code === 200));
    expect(await ask()).toEqual(ok);
  }
});

test('a worker stops its work while a later migration does not allow its version, and goes on afterwards', async () => {
  await using db = await testDatabase();
  const { pool } = db.database;
  const lines: string[] = [];
  const log = createLog('test', { level: 'info', destination: { write: (line) => lines.push(line) } });
  await using worker = await testWorker(db.url, { log });
  let hasEnded = false;
  void worker.ended.then(() => (hasEnded = true));
  /** Locks by which a worker that delivers says that it is alive. */
  const countWorking = async (): Promise<number> =>
    (
      await pool.query(
        `select from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`,
      )
    ).rows.length;
  const isReady = async (): Promise<boolean> => (await worker.get('/readyz')).status === 200;
  await eventually('the worker to work', async () => (await countWorking()) > 0 && isReady());
  await pool.query('insert into public.migration (name) values ($1)', [later]);
  await eventually('the work to stop', async () => (await countWorking()) === 0);
  expect(await isReady()).toBe(false);
  expect(lines.filter((line) => line.includes('Work is stopped: this version is too old'))).toHaveLength(1);
  await pool.query('delete from public.migration where name = $1', [later]);
  await eventually('the work to go on', async () => (await countWorking()) > 0 && isReady());
  expect(hasEnded).toBe(false);
});
