// The samples of apps/api/guides, run as they are printed against a live service. npm test runs those for shells, Node and Python, and
// npm run samples all of them. A language that this machine does not have is named and left out.
import { signBody } from '@service/signing';
import { execFile, spawn, spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { startReceiver } from '../support/receiver.ts';
import { test as base } from '../support/service-test.ts';
import { testWorker } from '../support/worker.ts';

const root = join(import.meta.dirname, '../..');

interface Language {
  /** Arguments that make its program show that it is there. */
  version: [program: string, ...args: string[]];
  command: (file: string, port: number) => [program: string, ...args: string[]];
  build?: (file: string) => [program: string, ...args: string[]];
}

const quick = ['sh', 'js', 'python'];
const languages: Record<string, Language> = {
  sh: { version: ['curl', '--version'], command: (file) => ['sh', '-eu', file] },
  js: { version: [process.execPath, '--version'], command: (file) => [process.execPath, file] },
  python: { version: ['python3', '--version'], command: (file) => ['python3', file] },
  php: {
    version: ['php', '--version'],
    command: (file, port) => ['php', '-S', `127.0.0.1:${port}`, file],
  },
  go: {
    version: ['go', 'version'],
    build: (file) => ['go', 'build', '-o', `${file}.bin`, file],
    command: (file) => [`${file}.bin`],
  },
  ruby: { version: ['ruby', '--version'], command: (file) => ['ruby', file] },
};

/** Texts that the samples print. Receivers are not in this table. */
const outputs: Record<string, RegExp> = {
  'check-key.sh': /"scopes":\[/,
  'find-times.sh': /"status":"published".*"startsAt"/s,
  'register.sh': /"joinUrl":"http/,
  'register.mjs': /\/room\/\w/,
  'register.py': /\/room\/\w/,
  'subscribe.sh': /"secret":"whsec_/,
  'check-signature.sh': /^genuine$/m,
  'renew-link.sh': /"tokenVersion":2/,
  'repeat.sh': /HTTP\/1.1 201.*HTTP\/1.1 201.*Idempotent-Replayed: true/s,
  'write-once.mjs': /^[\da-f]{8}-/,
  'write_once.py': /^[\da-f]{8}-/,
  'show-health.sh': /"waiting":/,
  'show-failing.sh': /"data":\[/,
  'pause.sh': /"halted":true.*"halted":false/s,
  'recover.sh': /"selected":|"state":/,
  'all-pages.sh': /seed0@example.com.*/,
  'all-pages.mjs': /seed0@example.com/,
  'all_pages.py': /seed0@example.com/,
  'show-limit.sh': /x-ratelimit-remaining: \d+/i,
  'patient.mjs': /hasMore: false/,
  'patient.py': /'hasMore': False/,
  'send-test.sh': /"status":"queued"/,
  'subscribe-tool.sh': /"description":"No-code tool"/,
  'report-purchase.sh': /"accepted"/,
};

interface Sample {
  guide: string;
  language: string;
  name: string;
  code: string;
}

const samples: Sample[] = globSync('apps/api/guides/*.md', { cwd: root }).flatMap((file) =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/^```(\w+) (\S+)\n([^]*?)^```$/gm)].map(
    ([, language, name, code]) => ({
      guide: basename(file, '.md'),
      language: language!,
      name: name!,
      code: code!,
    }),
  ),
);

const wanted = process.env['SAMPLES'] === 'all' ? Object.keys(languages) : quick;
const missing = wanted.filter((language) => {
  const [program, ...args] = languages[language]!.version;
  return spawnSync(program, args).status !== 0;
});
if (missing.length > 0) console.log(`Not on this machine: ${missing.join(', ')}`);
const runnable = samples.filter(({ language }) => wanted.includes(language) && !missing.includes(language));
const isReceiver = ({ name }: Sample): boolean => name.startsWith('receiver.');

const test = base
  // oxlint-disable-next-line eslint/no-empty-pattern -- vitest reads here which fixtures this one needs
  .extend('folder', async ({}, { onCleanup }) => {
    const folder = await mkdtemp(join(tmpdir(), 'service-samples-'));
    onCleanup(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
    return folder;
  });

/** Writes the sample into a folder of its guide, and builds it if its language is compiled. */
async function writeSample({ guide, name, code, language }: Sample, folder: string): Promise<string> {
  const file = join(folder, guide, name);
  await mkdir(join(folder, guide), { recursive: true });
  await writeFile(file, code);
  const [compiler, ...args] = languages[language]!.build?.(file) ?? [];
  if (compiler) await promisify(execFile)(compiler, args, { cwd: join(folder, guide) });
  return file;
}

test('every sample is run: each is a receiver or has an expected output', () => {
  const names = samples.filter((sample) => !isReceiver(sample)).map(({ name }) => name);
  expect(names.toSorted()).toEqual(Object.keys(outputs).toSorted());
  expect(samples.filter(isReceiver).map(({ language }) => language)).toEqual([
    'js',
    'python',
    'php',
    'go',
    'ruby',
  ]);
});

test('the samples work with the service', async ({ service, world, folder }) => {
  const { webinar, call, key } = world;
  const sessionTime = webinar.sessionTime;
  const rows = Array.from({ length: 101 }, (_, index) => ({
    name: 'Seed',
    email: `seed${index}@example.com`,
    sessionTime,
  }));
  const bulk = await call('POST /registrations/bulk', { registrations: rows });
  expect(bulk.status).toBe(200);
  const { json: listed } = await call('GET /registrations?limit=1');
  const url = `http://127.0.0.1:${await freePort()}/hook`;
  const { json: subscribed } = await call('POST /webhooks', { url, eventTypes: ['registered'] });
  const body = '{"event_type":"registered"}';
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const env = {
    ...process.env,
    BASE_URL: service.baseUrl,
    API_KEY: key,
    WEBINAR_ID: webinar.id,
    SESSION_TIME: sessionTime,
    REGISTRATION_ID: listed.data[0].id,
    WEBHOOK_ID: subscribed.data.id,
    RECEIVER_URL: url,
    TOOL_URL: url,
    DOWN_SINCE: new Date(Date.now() - 3_600_000).toISOString(),
    WEBHOOK_SECRET: secret,
    SIGNATURE: signBody(secret, Buffer.from(body)),
  };
  const byGuide = Map.groupBy(
    runnable.filter((sample) => !isReceiver(sample)),
    ({ guide }) => guide,
  );
  await Promise.all(
    [...byGuide].map(async ([guide, own]) => {
      await mkdir(join(folder, guide), { recursive: true });
      await writeFile(join(folder, guide, 'body.json'), body);
      for (const sample of own) {
        const [program, ...args] = languages[sample.language]!.command(await writeSample(sample, folder), 0);
        const { stdout } = await promisify(execFile)(program, args, { env, cwd: join(folder, guide) });
        expect(stdout, `${guide}: ${sample.name}`).toMatch(outputs[sample.name]!);
        if (/^all.pages/.test(sample.name)) expect(stdout.match(/seed\d+@/g)).toHaveLength(rows.length);
      }
    }),
  );
});

test('the functions that retry take the HTML of a proxy for no answer, and send the same key again', async ({
  folder,
}) => {
  const repeating = runnable.filter(({ name }) => /^write.once/.test(name));
  expect(repeating).toHaveLength(2);
  await Promise.all(
    repeating.map(async (sample) => {
      await using proxy = await startReceiver((_request, response) => {
        const isFirst = proxy.received.length === 1;
        response.statusCode = isFirst ? 502 : 201;
        response.end(isFirst ? '<html>Bad gateway</html>' : '{"data":{"id":"r1"}}');
      });
      const [program, ...args] = languages[sample.language]!.command(await writeSample(sample, folder), 0);
      const env = { ...process.env, BASE_URL: proxy.url, API_KEY: 'k', WEBINAR_ID: 'w', SESSION_TIME: 't' };
      const { stdout } = await promisify(execFile)(program, args, { env });
      expect(stdout.trim(), sample.name).toBe('r1');
      const keys = proxy.received.map(({ headers }) => headers['idempotency-key']);
      expect(keys).toEqual([keys[0], keys[0]]);
    }),
  );
});

test('the receivers accept a webhook of the service and refuse one without its signature', async ({
  service,
  world,
  folder,
}) => {
  await using _worker = await testWorker(service.db.url);
  await Promise.all(
    runnable.filter(isReceiver).map(async (sample) => {
      const file = await writeSample(sample, folder);
      const port = await freePort();
      const url = `http://127.0.0.1:${port}/`;
      const { json } = await world.call('POST /webhooks', { url, eventTypes: ['registered'] });
      const [program, ...args] = languages[sample.language]!.command(file, port);
      const receiver = spawn(program, args, {
        env: { ...process.env, PORT: String(port), WEBHOOK_SECRET: json.data.secret },
      });
      let output = '';
      for (const stream of [receiver.stdout, receiver.stderr])
        stream.on('data', (chunk) => (output += String(chunk)));
      try {
        const refused = await eventually(`${sample.name} to listen`, () =>
          fetch(url, { method: 'POST', body: '{}' }).catch(() => undefined),
        );
        expect(refused.status, output).toBe(401);
        await world.call(`POST /webhooks/${json.data.id}/test`, { eventType: 'registered' });
        await eventually(`${sample.name} to print the event`, () => /registered: \S+@/.test(output));
      } finally {
        receiver.kill('SIGKILL');
      }
    }),
  );
});

test('the receivers verify as the tested parts of the client do', () => {
  const receivers = new Map(samples.filter(isReceiver).map(({ name, code }) => [name, code]));
  for (const end of ['py', 'php', 'go', 'rb']) {
    const part = readFileSync(join(root, `packages/client/verify/verify.${end}`), 'utf8');
    const verify = part.slice(part.search(/^(def|function|func) /m)).trim();
    expect(receivers.get(`receiver.${end}`), end).toContain(verify);
  }
});

test('the page of errors has every code of the API', async ({ service }) => {
  const read = async (path: string) => (await fetch(`${service.baseUrl}/api/v1${path}`)).text();
  const codes = Object.keys(JSON.parse(await read('/openapi.json'))['x-error-codes']);
  const page = await read('/docs/errors');
  expect(codes.filter((code) => !page.includes(`<h2 id="${code}">`))).toEqual([]);
});
