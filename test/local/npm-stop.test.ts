// Signals go to npm, which is the process that an operator, a container or a terminal knows.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { callRest, inMinutes, testEncryptionKey } from '../support/api.ts';
import { childEnvironment } from '../support/child-environment.ts';
import { testDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { createKey, createPublishedWebinar } from '../support/factories.ts';
import { freePort } from '../support/free-port.ts';
import { startReceiver } from '../support/receiver.ts';
import { makeFolder, processesOf } from './run-supervisor.ts';

vi.setConfig({ testTimeout: 150_000 });

const root = join(import.meta.dirname, '../..');

/** Runs an npm script in a process group of its own. Every process that it makes has the marker in its environment. */
function runScript(script: string, variables: Record<string, string> & { MARKER: string }, cwd = root) {
  const child = spawn('npm', ['run', '--silent', script], {
    cwd,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...childEnvironment, HOME: variables.MARKER, ...variables },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const closed = once(child, 'close');
  return {
    output: () => output,
    logs: (text: string) => eventually(`"${text}" from ${script}`, () => output.includes(text)),
    signal: (name: NodeJS.Signals) => child.kill(name),
    signalGroup: (name: NodeJS.Signals) => process.kill(-child.pid!, name),
    async exitCode(): Promise<number | null> {
      await closed;
      return child.exitCode;
    },
  };
}

/** A folder that marks processes. They are killed at the end of a test that failed. */
async function makeMarker() {
  const folder = await makeFolder();
  return {
    path: folder.path,
    async [Symbol.asyncDispose]() {
      for (const line of processesOf(folder.path)) process.kill(Number.parseInt(line, 10), 'SIGKILL');
      await eventually('the end of all processes', () => processesOf(folder.path).length === 0);
      await folder.remove();
    },
  };
}

test('npm passes a signal on to the API and a worker, which finish open requests and deliveries, and ends with 0', async () => {
  await using db = await testDatabase({ withAccounts: true });
  await using marker = await makeMarker();
  let answerDelivery = (): void => undefined;
  await using receiver = await startReceiver((_request, response) => {
    answerDelivery = () => void response.end('ok');
  });
  const { accountId } = db.spareAccounts![0]!;
  const { key } = await createKey(db.database, accountId);
  const webinar = await createPublishedWebinar(db.database, accountId, { sessionTime: inMinutes(60) });
  const port = await freePort();
  const variables = {
    MARKER: marker.path,
    DATABASE_URL: db.url,
    PORT: String(port),
    WORKER_PORT: '0',
    ENCRYPTION_KEY: testEncryptionKey,
    WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
    WEBHOOK_ALLOW_HTTP: 'true',
  };
  const api = runScript('start:api', variables);
  const worker = runScript('start:worker', variables);
  await Promise.all([api.logs('"Listening"'), worker.logs('"Working"')]);

  const baseUrl = `http://localhost:${port}`;
  const body = { url: receiver.url, eventTypes: ['registered'] };
  await callRest({ baseUrl }, `POST /webinars/${webinar.id}/webhooks`, { key, body });
  const path = `/webinars/${webinar.id}/registrations`;
  const register = (email: string) => ({ email, name: 'Ada', sessionTime: webinar.sessionTime });
  await callRest({ baseUrl }, `POST ${path}`, { key, body: register('first@example.com') });
  await eventually('the delivery to arrive', () => receiver.received.length === 1);
  const open = request(`${baseUrl}/api/v1${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', Expect: '100-continue' },
  });
  open.flushHeaders();
  await once(open, 'continue');

  api.signal('SIGTERM');
  // As a terminal does: npm passes on a second one.
  worker.signalGroup('SIGINT');
  await Promise.all([api.logs('"Stopping"'), worker.logs('"Stopping"')]);
  open.end(JSON.stringify(register('second@example.com')));
  const [answer] = await once(open, 'response');
  answer.resume();
  expect(answer.statusCode).toBe(201);
  answerDelivery();

  expect(await worker.exitCode()).toBe(0);
  expect(await api.exitCode()).toBe(0);
  expect(processesOf(marker.path)).toEqual([]);
  // The worker has claimed nothing since.
  expect(receiver.received).toHaveLength(1);
  const stored = await db.database.pool.query('select response_code from deliveries.attempt');
  expect(stored.rows).toEqual([{ response_code: 200 }]);
});

test('a service ends with 0 after a signal during its start, and stops when npm is killed', async () => {
  await using db = await testDatabase();
  await using marker = await makeMarker();
  const variables = {
    MARKER: marker.path,
    DATABASE_URL: db.url,
    WORKER_PORT: '0',
    ENCRYPTION_KEY: testEncryptionKey,
  };
  const starting = runScript('start:worker', variables);
  await starting.logs('"Starting"');
  starting.signal('SIGTERM');
  expect(await starting.exitCode()).toBe(0);
  expect(starting.output()).toContain('"SIGTERM"');
  const worker = runScript('start:worker', variables);
  await worker.logs('"Working"');
  worker.signal('SIGKILL');
  await eventually('every process to end', () => processesOf(marker.path).length === 0);
  await eventually('the reason in the log', () => worker.output().includes('npm is gone'));
});

test.each(['SIGINT to the group', 'SIGTERM to npm'] as const)(
  'npm start ends with 0 after %s, and leaves nothing',
  async (way) => {
    await using marker = await makeMarker();
    const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    const start = scripts.start.replace('infra/', `${root}/infra/`);
    const fixture = join(import.meta.dirname, 'supervisor.fixture.ts');
    const script = start.replace('apps/local/src/main.ts', fixture);
    await writeFile(join(marker.path, 'package.json'), JSON.stringify({ scripts: { start: script } }));
    const service = runScript(
      'start',
      {
        MARKER: marker.path,
        PATH: `${join(root, 'node_modules/.bin')}:${process.env['PATH']}`,
        PORT: String(await freePort()),
        DATA_DIR: join(marker.path, 'data'),
        DATABASE_URL: 'postgres://app@127.0.0.1:1/none',
        NOTES: join(marker.path, 'notes'),
        SERVICES: 'api:serves',
      },
      marker.path,
    );
    await service.logs('Running at');
    if (way === 'SIGINT to the group') service.signalGroup('SIGINT');
    else service.signal('SIGTERM');
    expect(await service.exitCode()).toBe(0);
    expect(processesOf(marker.path)).toEqual([]);
  },
);
