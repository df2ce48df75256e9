import { randomBytes } from 'node:crypto';
import { startAnswering } from '../support/answering-process.ts';
import { waitUntil } from '../support/wait-until.ts';
import { measureRounds, type Bench } from './bench.ts';
import { startBenchProcess } from './bench-process.ts';
import type { BenchWorld } from './bench-world.ts';
import { postgresCpuMicroseconds, processCpuMicroseconds } from './cpu.ts';
import { createMailWorlds } from './mail-worlds.ts';
import { atLeast, columns, count, mediansOf } from './report.ts';

/** Each may send ten mails a second over two connections, so fewer would measure that limit. */
const accountsMax = 200;
const connections = 64;
const waitMaxMs = 180_000;

export interface MailParts {
  from: string;
  subject: string;
  text: string;
  html: string;
  calendar: string;
}

export interface MailCeilingLoad {
  port: number;
  mails: number;
  connections: number;
  parts: MailParts;
}

export const mail: Bench = {
  name: 'mail',
  summary:
    'confirmations per second of one worker process (claim, facts, text, HTML and calendar file, SMTP, write-back) from a queue of 200 ' +
    'accounts, each with connections of its own to one mail server in another process. Ceiling: a bare nodemailer loop that makes and ' +
    'sends the newest of these mails again and again over 64 connections to the same server',
  async run({ database, url, rounds, requests, use }) {
    const encryptionKey = randomBytes(32).toString('base64');
    const server = use(await startAnswering<number>(new URL('smtp-process.ts', import.meta.url)));
    const ceiling = use(await startAnswering(new URL('mail-ceiling-process.ts', import.meta.url)));
    const accounts = await createMailWorlds({
      url,
      database,
      encryptionKey,
      accounts: accountsMax,
      // Accounts with one credential would share two connections.
      connectionOf: (_index, accountId) => ({
        provider: 'smtp',
        credential: { host: '127.0.0.1', port: server.first, username: accountId, password: 'secret' },
        baseUrl: null,
      }),
    });
    // Nothing is sent before a round begins.
    for (const { accountId } of accounts)
      await database.pool.query(
        'insert into mails.lane (account_id, next_at, suspended) values ($1, now(), true)',
        [accountId],
      );
    const service = { databaseUrl: url, encryptionKey };
    const api = use(await startBenchProcess('api', service));
    const worker = use(await startBenchProcess('worker', service));
    const ofAccount = Math.ceil(requests / accountsMax);
    const mails = ofAccount * accountsMax;
    const taken = (): Promise<number> => server.ask('count');

    const measured = await measureRounds(rounds, async (round) => {
      await database.pool.query('update mails.lane set suspended = true');
      for (const account of accounts) await register(api.origin, account, { round, people: ofAccount });
      const before = await taken();
      const cpuBefore = [
        await processCpuMicroseconds(worker.pid),
        await postgresCpuMicroseconds(database.pool),
      ] as const;
      const startedAt = performance.now();
      await database.pool.query('update mails.lane set suspended = false');
      const isDone = await waitUntil(async () => (await taken()) >= before + mails, waitMaxMs);
      const perSecond = (mails * 1000) / (performance.now() - startedAt);
      if (!isDone) throw new Error(`${before + mails - (await taken())} of ${mails} mails did not arrive.`);
      await waitUntil(async () => {
        const { rows } = await database.pool.query('select from mails.due limit 1');
        return rows.length === 0;
      }, waitMaxMs);
      const workerCpu = ((await processCpuMicroseconds(worker.pid)) - cpuBefore[0]) / mails;
      const postgresCpu = ((await postgresCpuMicroseconds(database.pool)) - cpuBefore[1]) / mails;
      const loopBefore = await processCpuMicroseconds(ceiling.pid);
      const bare = await ceiling.ask<number>({
        port: server.first,
        mails,
        connections,
        parts: await server.ask<MailParts>('newest'),
      } satisfies MailCeilingLoad);
      const bareCpu = ((await processCpuMicroseconds(ceiling.pid)) - loopBefore) / mails;
      return { perSecond, bare, ratio: perSecond / bare, workerCpu, postgresCpu, bareCpu };
    });
    const figures = mediansOf(measured);
    return {
      figures,
      text: [
        'mails per second, beside a bare loop; CPU microseconds for one mail',
        columns([
          ['', 'mails', 'bare', 'ratio', 'worker CPU', 'Postgres CPU', 'bare CPU'],
          [
            `${accountsMax} accounts`,
            count(figures.perSecond),
            count(figures.bare),
            figures.ratio.toFixed(2),
            count(figures.workerCpu),
            count(figures.postgresCpu),
            count(figures.bareCpu),
          ],
        ]),
      ].join('\n'),
      targets: [atLeast('ratio', figures.ratio, 0.6, 0.2)],
    };
  },
};

async function register(
  origin: string,
  { key, webinars }: BenchWorld,
  { round, people }: { round: number; people: number },
): Promise<void> {
  const [webinar] = webinars;
  const registrations = Array.from({ length: people }, (_, index) => ({
    name: 'Ada Lovelace',
    email: `person-${round}-${index}@example.com`,
    sessionTime: webinar!.sessionTime,
  }));
  const answer = await fetch(`${origin}/api/v1/webinars/${webinar!.id}/registrations/bulk`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ registrations }),
  });
  if (!answer.ok) throw new Error(`The registrations were answered ${answer.status}: ${await answer.text()}`);
}
