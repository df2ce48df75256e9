import { startApi } from '@service/api';
import { createLog } from '@service/log';
import { expect, test } from 'vitest';
import { testServiceOptions } from '../support/api.ts';
import { freePort } from '../support/free-port.ts';
import { createWorld } from '../support/world.ts';
import { askEverything } from './ask-everything.ts';

test('a token is in no log line and in no metric label, even after errors', async () => {
  const lines: string[] = [];
  const log = createLog('test', { level: 'trace', destination: { write: (line) => void lines.push(line) } });
  const port = await freePort();
  const baseUrl = `http://localhost:${port}`;
  await using broken = await createWorld();
  const offerThere = await broken.interaction({
    type: 'cta',
    url: 'https://shop.example/',
    buttonLabel: 'Go',
  });
  const ada = await broken.attend();
  broken.startSession();
  const { clickUrl } = (await ada.visit()).json.interactions[0];
  const api = await startApi({
    ...testServiceOptions(broken.service.db.url),
    log,
    port,
    baseUrl,
    now: broken.clock.now,
    trustedProxies: [],
    corsAllowedOrigins: [],
    rateLimit: { requests: 1000, windowSeconds: 60 },
  });
  try {
    const there = ada.at({ baseUrl });
    expect((await there.click(offerThere)).status).toBe(201);
    await broken.service.db.database.pool.query('alter table webinars.webinar rename column room to gone');
    await broken.service.db.database.pool.query(
      'alter table attendees.registration rename column name to gone',
    );
    await broken.service.db.database.pool.query(
      'alter table attendees.attendance rename column visits to gone',
    );
    for (const [route, answer] of await askEverything(there))
      expect(answer, route).toEqual([500, 'internal_error']);
    const followed = await there.follow(clickUrl);
    expect([followed.status, followed.json.message]).toEqual([500, 'Internal server error']);
    const metrics = await (await fetch(`${baseUrl}/metrics`)).text();
    expect(metrics).toContain('surface="room"');
    const logged = lines.join('');
    expect(logged).toContain(followed.json.requestId);
    for (const token of [ada.token, clickUrl.split('/').at(-1)!])
      for (const part of [token, token.slice(-20)])
        for (const text of [metrics, logged, followed.text]) expect(text).not.toContain(part);
  } finally {
    await api.close();
  }
});
