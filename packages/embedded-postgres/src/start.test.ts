import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startEmbeddedPostgres } from './index.ts';
import { findOrCreatePostgresUser, isRoot } from './os-user.ts';
import { livingPostmaster } from './postmaster.ts';
import { commandLine, processIdentity } from './process-identity.ts';
import type { ChildProcess } from 'node:child_process';
import type { EmbeddedPostgres, EmbeddedPostgresOptions } from './index.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 30_000 });

let dataDir: string;
let started: EmbeddedPostgres[];
let children: ChildProcess[];

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'embedded-postgres-'));
  started = [];
  children = [];
});

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  await Promise.all(started.map((database) => database.stop({ immediate: true })));
  await eventually(() => livingPostmaster(join(dataDir, 'cluster')) === undefined);
  await rm(dataDir, { recursive: true, maxRetries: 5 });
});

async function start(options: Partial<EmbeddedPostgresOptions> = {}): Promise<EmbeddedPostgres> {
  const database = await startEmbeddedPostgres({ dataDir, ...options });
  started.push(database);
  return database;
}

async function startInChild(): Promise<{ child: ChildProcess; url: string }> {
  const { child, answer } = runFixture();
  const { url } = await answer;
  if (!url) throw new Error('the fixture did not start a database');
  return { child, url };
}

/** As by the system, and gone: a busy machine takes its time to carry that out. */
async function killHard(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

function runFixture() {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'start.fixture.ts'), dataDir], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.push(child);
  const answer = once(createInterface(child.stdout), 'line').then(
    ([line]) => JSON.parse(String(line)) as { url?: string; error?: string },
  );
  return { child, answer };
}

async function query(url: string, sql: string): Promise<unknown[][]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<unknown[]>({ text: sql, rowMode: 'array' });
    return rows;
  } finally {
    await client.end();
  }
}

async function eventually(isTrue: () => boolean, timeoutMs = 20_000): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!isTrue()) {
    if (Date.now() > deadline) throw new Error(`still not so after ${timeoutMs} ms: ${isTrue.toString()}`);
    await delay(20);
  }
}

function parentOf(pid: number): Promise<number> {
  return readFile(`/proc/${pid}/stat`, 'utf8').then((line) => Number(line.split(') ')[1]?.split(' ')[1]));
}

describe('starting and stopping', () => {
  test('a first start makes a UTF-8 database and a second start finds its rows', async () => {
    const first = await start();
    await query(first.url, `create table note as select 'Grüße 👋' as body`);
    await first.stop();
    const second = await start();
    expect(await query(second.url, 'select body from note')).toEqual([['Grüße 👋']]);
    expect(
      await query(
        second.url,
        `select pg_encoding_to_char(encoding), datcollate, current_setting('jit'), current_setting('max_connections')
         from pg_database where datname = current_database()`,
      ),
    ).toEqual([['UTF8', process.platform === 'linux' ? 'C.UTF-8' : 'C', 'off', '200']]);
  });

  test('the password is private, random and asked for', async () => {
    const { url, port } = await start();
    const names = await readdir(dataDir);
    expect(names.toSorted()).toEqual(['cluster', 'owner.json', 'password']);
    const { mode } = await stat(join(dataDir, 'password'));
    expect(mode & 0o777).toBe(0o600);
    expect(new URL(url).password).toMatch(/^[\w-]{32}$/);
    await expect(query(`postgres://app:wrong@127.0.0.1:${port}/app`, 'select 1')).rejects.toThrow(
      'password authentication failed',
    );
  });

  test('an unfinished data folder is created again', async () => {
    await mkdir(join(dataDir, 'cluster.new-1234', 'base'), { recursive: true });
    await mkdir(join(dataDir, 'cluster'));
    await writeFile(join(dataDir, 'initdb-password-1234'), 'secret');
    const { url } = await start();
    expect(await query(url, 'select 1')).toEqual([[1]]);
    expect(await readdir(dataDir)).not.toContain('cluster.new-1234');
    expect(await readdir(dataDir)).not.toContain('initdb-password-1234');
  });

  test('the settings and the port of the caller are used', async () => {
    const { port } = await start();
    const [database] = started.splice(0);
    await database?.stop();
    const again = await start({ port, settings: { fsync: 'off' } });
    expect(again.port).toBe(port);
    expect(await query(again.url, 'show fsync')).toEqual([['off']]);
  });

  test('a second program gets one clear line and the first keeps its database', async () => {
    const { child, url } = await startInChild();
    await expect(start()).rejects.toThrow(
      `is already running (pid ${child.pid}). Stop that process or set another DATA_DIR.`,
    );
    expect(await query(url, 'select 1')).toEqual([[1]]);
  });

  test('of several programs that start at once exactly one gets the database', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => runFixture().answer));
    expect(answers.filter((answer) => answer.url)).toHaveLength(1);
    expect(answers.flatMap((answer) => answer.error ?? [])).toEqual([
      expect.stringContaining('is already running'),
      expect.stringContaining('is already running'),
    ]);
  });

  test('the owner record of a dead process with a reused pid does not block a start', async () => {
    await writeFile(join(dataDir, 'owner.json'), JSON.stringify({ pid: process.ppid, identity: 'another' }));
    const { url } = await start();
    expect(await query(url, 'select 1')).toEqual([[1]]);
  });

  test('a lock file whose pid now belongs to another program of the same user is not taken for a server', async () => {
    await (await start()).stop();
    const user = isRoot() ? await findOrCreatePostgresUser() : undefined;
    const stranger = spawn('sleep', ['60'], { uid: user?.uid, gid: user?.gid });
    children.push(stranger);
    await writeFile(join(dataDir, 'cluster', 'postmaster.pid'), `${stranger.pid}\n${dataDir}/cluster\n`);
    const { url } = await start();
    expect(await query(url, 'select 1')).toEqual([[1]]);
  });
});

describe.skipIf(process.platform !== 'linux')('crashes', () => {
  test('the server ends by itself after kill -9 of its parent, and committed rows are there again', async () => {
    const { child, url } = await startInChild();
    await query(url, 'create table note as select 1 as id');
    const postmaster = livingPostmaster(join(dataDir, 'cluster'));
    await killHard(child);
    await eventually(() => processIdentity(postmaster ?? 0) === undefined);
    const { url: again } = await start();
    expect(await query(again, 'select id from note')).toEqual([[1]]);
  });

  test('a start right after kill -9 of parent and host stops the orphan and keeps committed rows', async () => {
    const { child, url } = await startInChild();
    await query(url, 'create table note as select 1 as id');
    const postmaster = livingPostmaster(join(dataDir, 'cluster')) ?? 0;
    const host = await parentOf(postmaster);
    expect(commandLine(host)).toContain('host.ts');
    process.kill(host, 'SIGKILL');
    await killHard(child);
    const { url: again } = await start();
    expect(processIdentity(postmaster)).toBeUndefined();
    expect(await query(again, 'select id from note')).toEqual([[1]]);
  });

  test('a start right after kill -9 of parent, host and postmaster keeps committed rows', async () => {
    const { child, url } = await startInChild();
    await query(url, 'create table note as select 1 as id');
    const postmaster = livingPostmaster(join(dataDir, 'cluster')) ?? 0;
    process.kill(await parentOf(postmaster), 'SIGKILL');
    process.kill(postmaster, 'SIGKILL');
    await killHard(child);
    const { url: again } = await start();
    expect(await query(again, 'select id from note')).toEqual([[1]]);
  });

  test('`exited` resolves when the server dies', async () => {
    const database = await start();
    process.kill(livingPostmaster(join(dataDir, 'cluster')) ?? 0, 'SIGKILL');
    await database.exited;
    const { url } = await start();
    expect(await query(url, 'select 1')).toEqual([[1]]);
  });

  test('`exited` waits for the server when only the host is killed', async () => {
    const database = await start();
    const postmaster = livingPostmaster(join(dataDir, 'cluster')) ?? 0;
    process.kill(await parentOf(postmaster), 'SIGKILL');
    await database.exited;
    expect(livingPostmaster(join(dataDir, 'cluster'))).toBeUndefined();
    // The process ends a moment after it has removed its file.
    await expect.poll(() => processIdentity(postmaster)).toBeUndefined();
  });
});
