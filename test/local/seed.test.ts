import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seedDemo } from '@service/local';
import { expect, onTestFinished, test } from 'vitest';
import { testApi } from '../support/api.ts';
import { testDatabase } from '../support/database.ts';

test('each start gives the demo webinar a page of registration and an attendee whose room is live within four minutes', async () => {
  await using db = await testDatabase();
  await using service = await testApi({ shared: db });
  const dataDir = await mkdtemp(join(tmpdir(), 'service-seed-'));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  const start = () => seedDemo({ databaseUrl: db.url, dataDir, baseUrl: service.baseUrl });
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
