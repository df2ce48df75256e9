// Mails leave through a provider with idempotency keys and through a mail server, while workers are killed and connections break.
import { credentialOf, startFake, startSmtpFake, type FakeProvider } from '@service/mail-senders/testing';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { waitUntil } from '../support/wait-until.ts';
import { check, type Drill, type DrillRun } from './drill.ts';
import { seconds } from './judge.ts';
import { openAccount, type Account, type ChaosWorld } from './world.ts';

const registrationsPerSecond = 4;
const killEveryMs = 5000;
const cutEveryMs = 700;
/** The lease of a mail whose worker died is 45 s, and a repeated mail waits. */
const drainMaxMs = 150_000;
const othersMaxMs = 5000;

interface Sender {
  provider: 'resend' | 'smtp';
  account: Account;
  webinar: { id: string; sessionTime: string };
  registered: Set<string>;
}

export const mail: Drill = {
  name: 'mail',
  summary:
    'Two workers send confirmations through a fake Resend, a mail server, and a mail server that never answers. Every 5 s a worker is ' +
    'killed (-9) and started again, and connections break after mails were taken. No mail is lost, none comes twice through Resend, ' +
    'and only uncertain ones come twice over SMTP. The silent server delays no mail of others.',
  seconds: 20,
  async run({ openWorld, seconds: forSeconds, say }) {
    await using resend = await startFake('resend');
    await using smtp = await startSmtpFake();
    await using silent = await startSilentServer();
    const world = await openWorld({ webinars: 1 });
    await world.startApi();
    const hanging = await openSender(world, 'smtp', silent);
    // Mails that hang are there before all others.
    for (let index = 0; index < 50; index += 1) await register(hanging, `hanging-${index}@example.com`);
    const senders = [await openSender(world, 'resend', resend), await openSender(world, 'smtp', smtp)];
    const workers = [await world.startWorker(), await world.startWorker()];
    await Promise.all(workers.map((worker) => worker.untilReady()));
    await waitUntil(() => silent.sockets.length > 0, 30_000);

    say('beside a silent server');
    const waits: number[] = [];
    for (const [index, fake] of [resend, smtp].entries())
      for (let sent = 0; sent < 5; sent += 1)
        waits.push(await timeMail(senders[index]!, fake, `calm-${sent}@example.com`));

    const kills = await breakThings({ world, workers, senders, fakes: [resend, smtp], forSeconds, say });

    say('draining');
    const waiting = () => countWaiting(world, senders);
    await waitUntil(async () => (await waiting()).certain === 0, drainMaxMs);
    const { certain, uncertain } = await waiting();
    // The second confirmation is due after ten minutes.
    await world.query('update mails.due set due_at = now() where uncertain_at is not null');
    await waitUntil(async () => (await waiting()).uncertain === 0, 30_000);
    const [atResend, atSmtp] = senders.map((sender, index) => judge(sender, [resend, smtp][index]!));
    return {
      checks: [
        check('every mail ends', certain === 0, `${certain} waiting`),
        check(
          'no mail is lost through Resend',
          atResend!.lost === 0,
          `${atResend!.lost} of ${atResend!.mails}`,
        ),
        check('no mail comes twice through Resend', atResend!.twice === 0, atResend!.twice),
        check('no mail is lost over SMTP', atSmtp!.lost === 0, `${atSmtp!.lost} of ${atSmtp!.mails}`),
        check(
          'only uncertain mails come twice over SMTP',
          atSmtp!.twice <= uncertain,
          `${atSmtp!.twice} of ${uncertain} uncertain`,
        ),
        check(
          'a silent server delays no mail of others',
          Math.max(...waits) <= othersMaxMs,
          `slowest ${seconds(Math.max(...waits))}`,
        ),
      ],
      figures: { kills, uncertain, 'mails at Resend': atResend!.mails, 'mails over SMTP': atSmtp!.mails },
    };
  },
};

interface Trouble extends Pick<DrillRun, 'say'> {
  world: ChaosWorld;
  workers: Awaited<ReturnType<ChaosWorld['startWorker']>>[];
  senders: Sender[];
  fakes: FakeProvider[];
  forSeconds: number;
}

/** Registers people, kills workers and breaks connections after mails were taken. Returns the number of kills. */
async function breakThings({ world, workers, senders, fakes, forSeconds, say }: Trouble): Promise<number> {
  const endAt = performance.now() + forSeconds * 1000;
  const isOver = (): boolean => performance.now() >= endAt;
  let kills = 0;
  const killing = (async () => {
    for (;;) {
      await delay(killEveryMs);
      if (isOver()) return;
      const turn = kills % 2;
      await workers[turn]!.kill();
      kills += 1;
      say(`${kills} kills`);
      workers[turn] = await world.startWorker();
      await workers[turn].untilReady();
    }
  })();
  const cutting = (async () => {
    while (!isOver()) {
      for (const fake of fakes) if (fake.faults.length === 0) fake.faults.push('lost');
      await delay(cutEveryMs);
    }
    for (const fake of fakes) fake.faults.length = 0;
  })();
  for (let index = 0; !isOver(); index += 1) {
    for (const sender of senders) await register(sender, `person-${index}@example.com`);
    await delay(1000 / registrationsPerSecond);
  }
  await Promise.all([killing, cutting]);
  return kills;
}

/** An account whose mails leave through a server of this process. */
async function openSender(
  { apiOrigin }: ChaosWorld,
  provider: Sender['provider'],
  server: { port: number; baseUrl?: string },
): Promise<Sender> {
  const account = await openAccount(apiOrigin, `mails${server.port}`);
  const sessionTime = `${new Date().getUTCFullYear() + 1}-06-01T09:00:00.000Z`;
  const [startDate, time] = [sessionTime.slice(0, 10), sessionTime.slice(11, 16)];
  const schedule = { recurrences: [{ frequency: 'once', startDate, time }] };
  const { id } = await account.call<{ id: string }>('POST /webinars', {
    title: 'Launch',
    timezone: 'UTC',
    schedule,
  });
  await account.call(`POST /webinars/${id}/publish`, {});
  await account.mutate('connections.connect', {
    provider,
    name: provider,
    credential: credentialOf(provider, server),
    baseUrl: provider === 'resend' ? server.baseUrl : null,
    from: { name: 'Acme', address: 'hello@example.com' },
    replyTo: null,
  });
  return { provider, account, webinar: { id, sessionTime }, registered: new Set() };
}

async function register({ account, webinar, registered }: Sender, email: string): Promise<void> {
  const { id, sessionTime } = webinar;
  await account.call(`POST /webinars/${id}/registrations`, { name: 'Ada', email, sessionTime });
  registered.add(email);
}

/** Milliseconds from a registration to its mail. */
async function timeMail(sender: Sender, { mails }: FakeProvider, email: string): Promise<number> {
  const startedAt = performance.now();
  await register(sender, email);
  const arrived = await waitUntil(() => mails.some(({ to }) => to.includes(email)), 60_000);
  return arrived ? performance.now() - startedAt : Infinity;
}

async function countWaiting(
  { query }: ChaosWorld,
  senders: readonly Sender[],
): Promise<{ certain: number; uncertain: number }> {
  const [row] = await query<{ certain: number; uncertain: number }>(
    `select count(*) filter (where uncertain_at is null or claim_token is not null)::int as certain,
       count(*) filter (where uncertain_at is not null and claim_token is null)::int as uncertain
     from mails.due where account_id = any($1)`,
    [senders.map(({ account }) => account.accountId)],
  );
  return row!;
}

function judge({ registered }: Sender, { mails }: FakeProvider) {
  const times = Map.groupBy(mails, ({ to }) => to[0]!);
  const twice = [...times.values()].filter((all) => all.length > 1).length;
  const lost = [...registered].filter((email) => !times.has(email)).length;
  return { mails: registered.size, twice, lost };
}

/** Answers until the first sign-in, which verifies the connection. Later connections get no answer. */
async function startSilentServer() {
  const sockets: Socket[] = [];
  let isSilent = false;
  const answer = (line: string): string => {
    const command = line.slice(0, 4).toUpperCase();
    if (command === 'EHLO') return '250-mail.test\r\n250 AUTH PLAIN\r\n';
    if (command !== 'AUTH') return '250 Ok\r\n';
    isSilent = true;
    return '235 2.7.0 Accepted\r\n';
  };
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    if (isSilent) sockets.push(socket);
    else {
      socket.write('220 mail.test ESMTP\r\n');
      socket.on('data', (line) => socket.write(answer(line.toString())));
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    sockets,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
