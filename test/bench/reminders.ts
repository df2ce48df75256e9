import { randomBytes } from 'node:crypto';
import { startAnswering, type AnsweringProcess } from '../support/answering-process.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { waitUntil } from '../support/wait-until.ts';
import type { Bench, BenchRun } from './bench.ts';
import { startBenchProcess } from './bench-process.ts';
import type { BenchWorld } from './bench-world.ts';
import { createMailWorlds } from './mail-worlds.ts';
import { median } from './median.ts';
import { percentilesOf } from './percentiles.ts';
import { atMost, columns, count, mediansOf, ms } from './report.ts';

const accountsMax = 50;
/** Mails a second over one SMTP connection, and its open sends: packages/mail-senders. */
const smtpLimits = { perSecond: 10, open: 2 };
const resendOpenMax = 5;
/** A lane rests for this time after a 429. The server asks for less. */
const restMs = 30_000;
/** From the preparation of a round until its reminders are due. */
const leadMs = 3000;
const minutesBefore = 60;
const bulkMax = 500;

/** To the process of the mail servers. */
export type ServerQuestion = { kind: 'count' | 'receipts' } | { kind: 'reset'; isTroubled: boolean };

export interface ServerReceipts {
  measured: { account: string; at: number }[];
  /** Most sends of the hanging connection at once. */
  hangingOpenMax: number;
  /** Times of the requests that were answered 429. */
  limitedAt: number[];
}

interface Setup {
  run: BenchRun;
  servers: AnsweringProcess<number[]>;
  startWorker(): Promise<ServiceProcess>;
  /** Of each account. */
  mails: number;
  accounts: BenchWorld[];
}

export const reminders: Bench = {
  name: 'reminders',
  summary:
    'one worker and reminders of 50 accounts that are all due at one moment, each account over a connection of its own: from that moment to the ' +
    'arrival, for the 48 accounts whose mail servers answer, when the server of one hangs and that of another answers 429. Control: the same ' +
    'with all servers answering. The whole has 100,000: --requests 100000 --rounds 5, for an hour',
  async run(run) {
    const { url, database, use } = run;
    const encryptionKey = randomBytes(32).toString('base64');
    const servers = use(
      await startAnswering<number[]>(new URL('reminder-servers-process.ts', import.meta.url)),
    );
    const start = async (kind: 'api' | 'worker'): Promise<ServiceProcess> =>
      use(await startBenchProcess(kind, { databaseUrl: url, encryptionKey }));
    const mails = Math.ceil(run.requests / accountsMax);
    const accounts = await createMailWorlds({
      url,
      database,
      encryptionKey,
      accounts: accountsMax,
      connectionOf: connectionOf(servers.first),
    });
    const api = await start('api');
    for (const account of accounts) await register(api.origin, account, mails);
    await api.kill();
    await database.pool.query('vacuum analyze');

    const setup: Setup = { run, servers, startWorker: () => start('worker'), mails, accounts };
    const rounds: { quiet: Figures; troubled: Figures }[] = [];
    for (let round = 1; round <= run.rounds; round += 1)
      rounds.push({
        quiet: await measure(setup, { isTroubled: false }),
        troubled: await measure(setup, { isTroubled: true }),
      });
    const quiet = mediansOf(rounds.map((one) => one.quiet));
    const troubled = mediansOf(rounds.map((one) => one.troubled));
    const ratio = (name: 'p50' | 'p99'): number =>
      median(rounds.map((one) => one.troubled[name] / one.quiet[name]));
    const most = (name: keyof Figures): number =>
      Math.max(...rounds.flatMap((one) => [one.quiet[name], one.troubled[name]]));
    const ratios = { p50: ratio('p50'), p99: ratio('p99') };
    return {
      figures: { quiet, troubled, ratios },
      text: [
        `${count(mails * accountsMax)} reminders of ${accountsMax} accounts at one moment; from the moment to the arrival`,
        columns([
          ['', 'p50', 'p99', 'max', 'mails/s'],
          ...Object.entries({ 'all answer': quiet, 'one hangs, one answers 429': troubled }).map(
            ([name, { p50, p99, max, perSecond }]) => [name, ms(p50), ms(p99), ms(max), count(perSecond)],
          ),
        ]),
      ].join('\n'),
      targets: [
        atMost("p50 to the control's", ratios.p50, 1.1),
        atMost("p99 to the control's", ratios.p99, 1.5),
        atMost('mails of a connection beyond its rate', most('beyondRate'), 0),
        atMost('open sends of the hanging connection', most('hangingOpenMax'), smtpLimits.open),
        atMost('requests within a rest after 429', most('withinRest'), resendOpenMax),
      ],
    };
  },
};

interface Figures {
  p50: number;
  p99: number;
  max: number;
  perSecond: number;
  beyondRate: number;
  hangingOpenMax: number;
  withinRest: number;
}

async function measure(
  { run: { database }, servers, startWorker, mails, accounts }: Setup,
  { isTroubled }: { isTroubled: boolean },
): Promise<Figures> {
  const { pool } = database;
  const ask = <Answer>(question: ServerQuestion): Promise<Answer> => servers.ask<Answer>({ ...question });
  await ask({ kind: 'reset', isTroubled });
  // Each round is the first one of its workspaces.
  await pool.query('delete from mails.due; delete from mails.mail; delete from mails.lane');
  await pool.query(
    `update connections.connection set state = 'connected', reason = null, laters = 0, first_later_at = null`,
  );
  const worker = await startWorker();
  const moment = new Date(Date.now() + leadMs);
  await pool.query(
    // Workers of a long run have made sessions of later days.
    `update webinars.session set starts_at = $1::timestamptz + make_interval(mins => $2), ends_at = $1::timestamptz + make_interval(mins => $2 + 60)
     where was_booked`,
    [moment, minutesBefore],
  );
  await pool.query(
    `update mails.session_timer set due_at = $1, after_registration_id = null where kind = 'plan'`,
    [moment],
  );
  const measured = (accounts.length - 2) * mails;
  const waitMaxMs = 120_000 + (mails / smtpLimits.perSecond) * 5000;
  const isDone = await waitUntil(async () => (await ask<number>({ kind: 'count' })) >= measured, waitMaxMs);
  const receipts = await ask<ServerReceipts>({ kind: 'receipts' });
  await worker.kill();
  if (!isDone) throw new Error(`${measured - receipts.measured.length} of ${measured} mails did not arrive.`);
  const waits = receipts.measured.map(({ at }) => at - moment.getTime());
  const { p50, p99, max } = percentilesOf(waits);
  const byAccount = Map.groupBy(receipts.measured, ({ account }) => account);
  const beyond = [...byAccount.values()].map((own) => countBeyondRate(own.map(({ at }) => at)));
  return {
    p50,
    p99,
    max,
    perSecond: (measured * 1000) / max,
    beyondRate: Math.max(...beyond),
    hangingOpenMax: receipts.hangingOpenMax,
    withinRest: mostWithin(receipts.limitedAt, restMs),
  };
}

/** The mails of a connection that arrived beyond its rate since the first one: it may send those of one second at once. */
function countBeyondRate(times: readonly number[]): number {
  const [first = 0] = times;
  const allowed = (at: number): number => smtpLimits.perSecond * ((at - first) / 1000 + 1) + smtpLimits.open;
  return Math.max(0, ...times.map((at, index) => Math.floor(index + 1 - allowed(at))));
}

/** The most of these times that fall into a span. */
const mostWithin = (times: readonly number[], spanMs: number): number =>
  Math.max(0, ...times.map((from) => times.filter((at) => at >= from && at < from + spanMs).length));

/** The last two accounts have the connections that hang or get 429. `ports` are as in `reminder-servers-process.ts`. */
const connectionOf =
  ([port, hangingPort, apiPort]: readonly number[]) =>
  (index: number, accountId: string) => {
    if (index === accountsMax - 1)
      return {
        provider: 'resend',
        credential: { key: 're_0123456789abcdef' },
        baseUrl: `http://127.0.0.1:${apiPort}`,
      } as const;
    const smtpPort = index === accountsMax - 2 ? hangingPort : port;
    const credential = { host: '127.0.0.1', port: smtpPort, username: accountId, password: 'secret' };
    return { provider: 'smtp', credential, baseUrl: null } as const;
  };

/** Registers people who want only the reminder an hour before. */
async function register(origin: string, { key, webinars }: BenchWorld, people: number): Promise<void> {
  const { id, sessionTime } = webinars[0]!;
  const call = async (route: string, body: unknown): Promise<void> => {
    const [method, path] = route.split(' ') as [string, string];
    const answer = await fetch(`${origin}/api/v1/webinars/${id}${path}`, {
      method,
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${route} was answered ${answer.status}: ${await answer.text()}`);
  };
  await call('PATCH /mails', { reminders: [{ minutesBefore, enabled: true, ...reminderText }] });
  for (let from = 0; from < people; from += bulkMax)
    await call('POST /registrations/bulk', {
      registrations: Array.from({ length: Math.min(bulkMax, people - from) }, (_, index) => ({
        name: 'Ada Lovelace',
        email: `person-${from + index}@example.com`,
        sessionTime,
        suppressConfirmation: true,
      })),
    });
}

const reminderText = {
  subject: 'Reminder: {{webinarTitle}}',
  text: 'Hello {{firstName}},\n\n{{webinarTitle}} starts in {{timeUntilStart}}.\n\n{{sessionTime}}\n\n{{joinLink}}\n\n{{workspaceName}}',
};
