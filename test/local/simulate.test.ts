import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { childEnvironment } from '../support/child-environment.ts';
import { callRest, createTestAccount, createTestKey, testApi, type TestApi } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { testWorker } from '../support/worker.ts';

const main = join(import.meta.dirname, '../../apps/local/src/simulate.ts');

interface Line {
  what: string;
  done: { least: number; most: number };
  delivered: { found: number } | null;
}

interface Summary {
  webinarId: string;
  sessionId: string;
  attendees: number;
  deliveries: { received: number; forged: number } | null;
  revenue: { webhooks: number; requests: number } | null;
  reconciliation: { lines: Line[]; differences: { text: string }[] } | null;
}

/** Runs the command as people do, for a webinar of a minute. */
function startSimulation({ baseUrl }: Pick<TestApi, 'baseUrl'>, options: Record<string, string>) {
  const given = Object.entries({ 'base-url': baseUrl, minutes: '1', ...options });
  const flags = given.flatMap(([name, value]) => [`--${name}`, value]);
  const child = spawn(process.execPath, [main, '--json', ...flags], { env: childEnvironment });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = once(child, 'close');
  return {
    said: () => stderr,
    interrupt: () => child.kill('SIGINT'),
    async end() {
      await ended;
      const summary = stdout === '' ? undefined : (JSON.parse(stdout) as Summary);
      return { exitCode: child.exitCode, stderr, summary };
    },
    [Symbol.dispose]: () => child.kill('SIGKILL'),
  };
}

const differencesIn = (summary: Summary | undefined) =>
  summary?.reconciliation?.differences.map(({ text }) => text);

/** With this seed thirty people do everything there is: two tabs, double clicks, coming back, falling silent. */
const variedSeed = '18080';

test.concurrent(
  'the actions of thirty attendees in a minute are recorded and delivered, exact to the second, and their purchases to the cent',
  { timeout: 180_000 },
  async () => {
    await using service = await testApi();
    await using _worker = await testWorker(service.db.url);
    const { email, password } = await createTestAccount(service);
    using simulation = startSimulation(service, {
      email,
      password,
      attendees: '30',
      heartbeat: '2',
      seed: variedSeed,
    });
    const { exitCode, stderr, summary } = await simulation.end();
    expect(differencesIn(summary), stderr).toEqual([]);
    expect(exitCode).toBe(0);
    expect(stderr).toContain('No differences.');
    expect(summary).toMatchObject({ attendees: 30, deliveries: { forged: 0 }, refusals: {} });
    const unseen = summary!.reconciliation!.lines.filter(({ delivered }) => delivered?.found === 0);
    expect(unseen).toEqual([]);
    // Some were sent again.
    expect(summary!.revenue!.requests).toBeGreaterThan(summary!.revenue!.webhooks);
  },
);

test.concurrent(
  'a stop ends the session and compares the actions until then, here without webhooks',
  { timeout: 120_000 },
  async () => {
    await using service = await testApi({ strict: true });
    await using _worker = await testWorker(service.db.url);
    const { accountId } = await createTestAccount(service);
    const { key } = await createTestKey(service, accountId);
    using simulation = startSimulation(service, { key, attendees: '20', heartbeat: '1', seed: '1' });
    await eventually(
      'somebody in the live room',
      () => /\/ 00:01:00 {2}[1-9]\d* in the room/.test(simulation.said()),
      60_000,
    );
    simulation.interrupt();
    const { exitCode, stderr, summary } = await simulation.end();
    expect(differencesIn(summary), stderr).toEqual([]);
    expect(exitCode).toBe(130);
    expect(stderr).toContain('The service sends no webhooks to this machine');
    expect(stderr).toContain('No purchases: a key cannot read the secrets of revenue sources.');
    expect(summary?.deliveries).toBeNull();
    expect(summary?.revenue).toBeNull();
    const joined = summary?.reconciliation?.lines.find(({ what }) => what === 'joined');
    expect(joined?.done.least).toBeGreaterThan(0);
    const { webinarId, sessionId } = summary!;
    const { json } = await callRest(service, `GET /webinars/${webinarId}/sessions/${sessionId}`, { key });
    expect(json.data.status).toBe('ended');
  },
);

test.concurrent('without a running service it names the command that starts one', async () => {
  const baseUrl = `http://localhost:${await freePort()}`;
  using simulation = startSimulation({ baseUrl }, { key: 'any' });
  const { exitCode, stderr } = await simulation.end();
  expect(stderr).toBe(`Nothing answers at ${baseUrl}. Start it with: npm start\n`);
  expect(exitCode).toBe(1);
});
