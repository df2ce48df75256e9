// PostgreSQL is stopped and started again below a running API.
import { serviceEntities } from '@service/composition';
import { openDatabase } from '@service/database';
import { createLog } from '@service/log';
import { expect, test } from 'vitest';
import { openChaosPostgres } from '../chaos/chaos-postgres.ts';
import { callRest, createTestWorld, testApi } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { signInMember } from '../support/member.ts';
import { openShop } from '../support/shop.ts';

// PostgreSQL is made, stopped and started for it.
const timeoutMs = 180_000;

test(
  'while the database is away every surface answers 503 with Retry-After, and all of them recover',
  async () => {
    await using postgres = await openChaosPostgres();
    const url = await postgres.createDatabase('outage');
    const database = await openDatabase({ url, entities: serviceEntities, name: 'test' });
    await using _database = { [Symbol.asyncDispose]: () => database.close() };
    const lines: { level: string; msg: string }[] = [];
    const log = createLog('test', { destination: { write: (line) => void lines.push(JSON.parse(line)) } });
    const shared = { database, url, [Symbol.asyncDispose]: async () => undefined };
    await using service = await testApi({ shared, log });
    const { baseUrl } = service;
    const world = await createTestWorld(service);
    const { key, webinar, email, password } = world;
    const member = await signInMember(service, world);
    const registration = await callRest(service, `POST /webinars/${webinar.id}/registrations`, {
      key,
      body: { name: 'Ada', email: 'ada@example.com', sessionTime: webinar.sessionTime },
    });
    const token = (registration.json.data.joinUrl as string).split('/').at(-1)!;
    const post = async (path: string, body: object) =>
      fetch(`${baseUrl}${path}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Origin: baseUrl },
        body: JSON.stringify(body),
      });
    const cookie = (await post('/api/auth/sign-in/email', { email, password })).headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ');

    const shop = await openShop(service, world);
    const acknowledged: string[] = [];
    const sell = async () => {
      const answer = await shop.report();
      if (answer.status < 300) acknowledged.push(answer.json.id);
      return answer;
    };

    const surfaces: Record<string, () => Promise<{ status: number; headers: Headers }>> = {
      'REST read': () => callRest(service, 'GET /webinars', { key }),
      'REST write': () => callRest(service, 'POST /webinars', { key, body: { title: 'Another' } }),
      tRPC: () => member.call('webinars.list'),
      'tRPC batch': () => member.call(['webinars.list', 'webinars.list']),
      room: () => post(`/room/${token}/visits`, {}),
      'room events': () => fetch(`${baseUrl}/room/${token}/events`),
      'sign-in': () => post('/api/auth/sign-in/email', { email, password }),
      'sign-up': () => post('/api/auth/sign-up/email', { name: 'Bo', email: 'bo@example.com', password }),
      session: () => fetch(`${baseUrl}/api/session`, { headers: { cookie } }),
      'revenue door': sell,
      'revenue door, forged': () => shop.post('generic', '{}'),
    };

    // Some of these are being stored when the database stops.
    const early = Array.from({ length: 50 }, sell);
    await early[0];
    await postgres.stop();
    for (const { status } of await Promise.all(early)) expect([202, 503]).toContain(status);
    for (const round of [1, 2]) {
      for (const [name, ask] of Object.entries(surfaces)) {
        const answer = await ask();
        expect(answer.status, `${name}, round ${round}`).toBe(503);
        expect(answer.headers.get('retry-after'), name).toMatch(/^[1-9]\d*$/);
      }
    }
    expect((await fetch(`${baseUrl}/readyz`)).status).toBe(503);
    expect((await fetch(`${baseUrl}/healthz`)).status).toBe(200);
    expect((await fetch(`${baseUrl}/api/v1/openapi.json`)).status).toBe(200);
    expect(lines.filter(({ level }) => level === 'error')).toEqual([]);
    const warnings = lines.filter(({ msg }) => msg === 'The database is unavailable');
    expect(warnings.length).toBeGreaterThan(0);
    expect(warnings.length).toBeLessThan(Object.keys(surfaces).length);

    await postgres.start();
    for (const [name, ask] of Object.entries(surfaces)) {
      const recovered = () => ask().then(({ status }) => status < 500);
      await eventually(`${name} answers again`, recovered);
    }
    // An event whose commit succeeded without an answer is stored too. Its sender repeats it.
    const { rows } = await database.pool.query('select id from revenue.revenue_event');
    expect(rows.map(({ id }) => id)).toEqual(expect.arrayContaining(acknowledged));
  },
  timeoutMs,
);
