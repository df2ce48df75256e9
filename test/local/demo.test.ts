import { processIdentity } from '@service/embedded-postgres';
import { seedDemo } from '@service/local';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify, stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { createTestAccount, testApi } from '../support/api.ts';
import { childEnvironment } from '../support/child-environment.ts';
import { testDatabase } from '../support/database.ts';
import { testWorker } from '../support/worker.ts';

const demo = fileURLToPath(new URL('../../apps/local/src/demo.ts', import.meta.url));

test('npm run demo shows the webhook, the confirmation with its link, the purchase, people, an archived webinar and the call of a tool', async () => {
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
  expect(shown).toContain('"level": "unattributed"');
  expect(shown).toMatch(/Ada Lovelace, ada\+\d+@example\.com: 1 registered, 0 attended/);
  expect(shown).toContain('Demo draft: archived');
  expect(shown).toContain('The main job works.');
});

test('each start gives the demo webinar a registration page, and an attendee whose room is live within four minutes', async () => {
  await using db = await testDatabase();
  await using service = await testApi({ shared: db });
  await using dataDir = await makeDataDir({});
  const start = () => seedDemo({ databaseUrl: db.url, dataDir: dataDir.path, baseUrl: service.baseUrl });
  const rooms = [(await start())?.room, (await start())?.room];
  expect(rooms[1]?.joinUrl).not.toBe(rooms[0]?.joinUrl);
  for (const { pageUrl, joinUrl, startsAt } of rooms.map((room) => room!)) {
    const page = await fetch(pageUrl, { headers: { Accept: 'text/html' } });
    expect(await page.text()).toContain('A short tour of your webinars');
    const visit = await fetch(`${joinUrl}/visits`, { method: 'POST' });
    expect(await visit.json()).toMatchObject({ phase: 'lobby', session: { startsAt } });
    expect(Date.parse(startsAt) - Date.now()).toBeLessThan(4 * 60_000);
  }
});

async function makeDataDir(files: Record<string, unknown>): Promise<AsyncDisposable & { path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'service-demo-'));
  for (const [name, content] of Object.entries(files))
    await writeFile(join(path, name), JSON.stringify(content));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
