import { once } from 'node:events';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { readRunning } from '@service/local';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { makeFolder, processesOf, runSupervisor } from './run-supervisor.ts';
import type { Supervisor } from './run-supervisor.ts';

// More than all waits of one test together: a wait that runs out says what it waited for.
vi.setConfig({ testTimeout: 150_000, hookTimeout: 40_000 });

// An address without a server: these tests need no database of their own.
const noDatabase = { DATABASE_URL: 'postgres://app@127.0.0.1:1/none' };

let folder: Awaited<ReturnType<typeof makeFolder>>;
let port: number;

beforeEach(async () => {
  folder = await makeFolder();
  port = await freePort();
});

afterEach(async () => {
  for (const line of processesOf(folder.path)) kill(Number.parseInt(line, 10));
  await eventually('every process to end', () => processesOf(folder.path).length === 0);
  await folder.remove();
});

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // it ended by itself
  }
}

/** The start waits for the API only; a service that is still loading would miss what a test does to it. */
async function isReady(supervisor: Supervisor, services = ['api', 'worker']): Promise<void> {
  await eventually('the start', () => supervisor.output().includes('Running at'), 20_000);
  await eventually('the services', () => haveStarted(supervisor, services), 20_000);
}

async function haveStarted(supervisor: Supervisor, services: string[]): Promise<boolean> {
  const notes = await supervisor.notes();
  return services.every((service) => notes.includes(`${service} started`));
}

const nobodyIsLeft = () =>
  eventually('every process to end', () => processesOf(folder.path).length === 0, 20_000);

describe.skipIf(process.platform !== 'linux')('npm start', () => {
  test('a port in use gives one line and nothing is started', async () => {
    const server = createServer().listen(port, '127.0.0.1');
    await once(server, 'listening');
    const supervisor = runSupervisor(folder.path, port);
    expect(await supervisor.exitCode()).toBe(1);
    expect(supervisor.output()).toBe(`Port ${port} is in use. Stop the program that uses it or set PORT.\n`);
    server.close();
  });

  test('Ctrl-C stops the services while their database still runs, then the database, and leaves nothing', async () => {
    const supervisor = runSupervisor(folder.path, port);
    await isReady(supervisor);
    expect(supervisor.output()).toContain('demo@example.com');
    expect((await readRunning(folder.path))?.pid).toBe(supervisor.pid);
    supervisor.signalGroup('SIGINT');
    expect(await supervisor.exitCode()).toBe(0);
    expect(processesOf(folder.path)).toEqual([]);
    expect((await supervisor.notes()).toSorted()).toEqual([
      'api started',
      'api stopped with its database',
      'worker started',
      'worker stopped with its database',
    ]);
    expect(await readRunning(folder.path)).toBeUndefined();
  });

  test('a start directly after kill -9 waits for processes that are still ending, has the same keys, and after kill -9 no process remains', async () => {
    const first = runSupervisor(folder.path, port);
    await isReady(first);
    const key = await readFile(join(folder.path, 'encryption-key'), 'utf8');
    expect((await stat(join(folder.path, 'encryption-key'))).mode & 0o777).toBe(0o600);
    process.kill(first.pid, 'SIGKILL');
    const second = runSupervisor(folder.path, port);
    await isReady(second);
    expect(await readFile(join(folder.path, 'encryption-key'), 'utf8')).toBe(key);
    process.kill(second.pid, 'SIGKILL');
    await nobodyIsLeft();
    expect(await readRunning(folder.path)).toBeUndefined();
  });

  test('a killed database is started again at the same address', async () => {
    const supervisor = runSupervisor(folder.path, port);
    await isReady(supervisor);
    const lockFile = join(folder.path, 'postgres', 'cluster', 'postmaster.pid');
    const before = await readFile(lockFile, 'utf8');
    process.kill(Number.parseInt(before, 10), 'SIGKILL');
    const after = await eventually('another lock file', async () => {
      const text = await readFile(lockFile, 'utf8').catch(() => '');
      return text.includes('ready') && text !== before ? text : '';
    });
    expect(after.split('\n')[3]).toBe(before.split('\n')[3]);
    supervisor.signalGroup('SIGINT');
    expect(await supervisor.exitCode()).toBe(0);
    expect(await supervisor.notes()).toContain('api stopped with its database');
  });

  test('a service that ends unexpectedly is started again', async () => {
    const supervisor = runSupervisor(folder.path, port, noDatabase);
    await isReady(supervisor);
    const worker = processesOf(folder.path).find((line) => line.endsWith('fixture.ts worker '));
    process.kill(Number.parseInt(worker ?? '', 10), 'SIGKILL');
    await eventually(
      'the worker to start again',
      async () => (await supervisor.notes()).filter((note) => note === 'worker started').length === 2,
    );
    expect(supervisor.output()).toContain('worker ended unexpectedly (SIGKILL); starting it again in 0.2 s.');
    process.kill(supervisor.pid, 'SIGKILL');
  });

  test('a service that keeps ending stops everything with exit code 1', async () => {
    const supervisor = runSupervisor(folder.path, port, {
      ...noDatabase,
      SERVICES: 'api:serves:hangs worker:crashes',
    });
    await isReady(supervisor);
    await eventually(
      'the stop',
      async () => (await supervisor.notes()).includes('api ignored SIGTERM'),
      20_000,
    );
    expect((await supervisor.notes()).filter((note) => note === 'worker started')).toHaveLength(6);
    process.kill(supervisor.pid, 'SIGTERM'); // or it would give the other service its 15 s
    expect(await supervisor.exitCode()).toBe(1);
    expect(supervisor.output()).toContain('worker ended six times within a minute (now: exit code 3).');
    expect(processesOf(folder.path)).toEqual([]);
  });

  test('a second Ctrl-C does not wait for a service that hangs', async () => {
    const supervisor = runSupervisor(folder.path, port, { ...noDatabase, SERVICES: 'api:serves:hangs' });
    await isReady(supervisor, ['api']);
    supervisor.signalGroup('SIGINT');
    supervisor.signalGroup('SIGINT'); // npm repeats the first one
    await eventually('the stop', async () => (await supervisor.notes()).includes('api ignored SIGTERM'));
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect(processesOf(folder.path)).toHaveLength(2);
    supervisor.signalGroup('SIGINT');
    expect(await supervisor.exitCode()).toBe(0);
    expect(processesOf(folder.path)).toEqual([]);
  });

  test('a failing migration shows its output and stops the start', async () => {
    const migrate = 'console.error("column x is missing"); process.exit(4)';
    const supervisor = runSupervisor(folder.path, port, { MIGRATE: migrate });
    expect(await supervisor.exitCode()).toBe(1);
    expect(supervisor.output()).toContain('The migration failed (exit code 4).\ncolumn x is missing');
    expect(await supervisor.notes()).toEqual([]);
    expect(processesOf(folder.path)).toEqual([]);
  });

  test('the record of a dead run does not count as a running service', async () => {
    const record = {
      pid: process.pid,
      identity: 'another',
      databaseUrl: 'postgres://',
      baseUrl: 'http://localhost:1',
    };
    await writeFile(join(folder.path, 'running.json'), JSON.stringify(record));
    expect(await readRunning(folder.path)).toBeUndefined();
  });
});
