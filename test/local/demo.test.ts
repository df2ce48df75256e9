import { processIdentity } from '@service/embedded-postgres';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify, stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { createTestAccount, testApi } from '../support/api.ts';
import { childEnvironment } from '../support/child-environment.ts';
import { testWorker } from '../support/worker.ts';

const demo = fileURLToPath(new URL('../../apps/local/src/demo.ts', import.meta.url));

test('npm run demo shows the webhook, the confirmation with its link, the purchase and the call of a tool', async () => {
  await using service = await testApi({ options: { mail: 'mailbox' } });
  const { baseUrl, db } = service;
  await using _worker = await testWorker(db.url, { mail: 'mailbox', baseUrl });
  await using dataDir = await makeDataDir({
    'demo-account.json': await createTestAccount(service),
    'running.json': {
      pid: process.pid,
      identity: processIdentity(process.pid),
      databaseUrl: db.url,
      baseUrl,
    },
  });
  const { stdout } = await promisify(execFile)(process.execPath, [demo], {
    env: { ...childEnvironment, DATA_DIR: dataDir.path },
  });
  const shown = stripVTControlCharacters(stdout);
  const [, joinUrl] = /"joinUrl": "([^"]+)"/.exec(shown)!;
  const confirmation = shown.slice(shown.indexOf('The confirmation'), shown.indexOf('The attendee buys'));
  expect(confirmation).toContain('You are registered: Demo');
  expect(confirmation).toContain(joinUrl);
  expect(confirmation).toContain('/invite.ics');
  expect(shown).toContain('genuine; by hand');
  expect(shown).toContain('The main job works.');
});

async function makeDataDir(files: Record<string, unknown>): Promise<AsyncDisposable & { path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'service-demo-'));
  for (const [name, content] of Object.entries(files))
    await writeFile(join(path, name), JSON.stringify(content));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
