// Workers are killed and connections are broken at each step of a mail to each provider.
import { mailSenders } from '@service/mail-senders';
import { credentialOf, type FakeProvider, type FakeStep, startFake } from '@service/mail-senders/testing';
import { waitUntil } from '../support/wait-until.ts';
import { check, type Check, type Drill } from './drill.ts';
import { startWorkers } from './standby-workers.ts';
import { openAccount, type Account, type ChaosWorld } from './world.ts';

type Provider = (typeof mailSenders)[number]['id'];

const httpSteps: FakeStep[] = ['request', 'body', 'taken', 'answered'];
const stepsOf = (provider: Provider): FakeStep[] =>
  provider === 'smtp' ? ['connected', 'auth', 'mail', 'rcpt', 'data', 'dot', 'taken', 'answered'] : httpSteps;

const stepMaxMs = 10_000;
const drainMaxMs = 120_000;

interface Sender {
  provider: Provider;
  fake: FakeProvider;
  account: Account;
  webinar: { id: string; sessionTime: string };
  registered: string[];
}

export const mail: Drill = {
  name: 'mail',
  summary:
    'Confirmations through fakes of all five providers. In turn a connection to one of them breaks, and a worker is killed (-9), at each step of SMTP ' +
    'and HTTP; the next worker goes on. Resend and Brevo get no mail twice, the others only those that are ' +
    'recorded as uncertain, and no mail is lost. --kills 1000 takes half an hour.',
  seconds: 90,
  async run({ openWorld, seconds, kills: killsMax, say }) {
    await using opened = new AsyncDisposableStack();
    const world = await openWorld({ webinars: 1 });
    const api = await world.startApi();
    const senders: Sender[] = [];
    for (const { id } of mailSenders)
      senders.push(await openSender(world, id, opened.use(await startFake(id))));
    const workers = opened.use(
      await startWorkers({
        program: new URL('mail/worker-process.ts', import.meta.url),
        args: [world.databaseUrl, world.encryptionKey],
      }),
    );
    const uncertain = new Set<string>();
    const endAt = performance.now() + seconds * 1000;
    const isOver = (): boolean => (killsMax ? kills >= killsMax : performance.now() >= endAt);
    let kills = 0;
    let cuts = 0;
    let missed = 0;
    const atSteps: Record<string, number> = {};
    while (!isOver()) {
      const turn = kills + missed;
      const [killed, cut] = [senders[turn % senders.length]!, senders[(turn + 2) % senders.length]!];
      const at = <Step>(steps: Step[]): Step => steps[Math.floor(turn / senders.length) % steps.length]!;
      const isCut = untilStep(cut, at(stepsOf(cut.provider).toReversed()), () => true);
      await register(cut, turn);
      if (await isCut) cuts += 1;
      const step = at(stepsOf(killed.provider));
      const isKilled = untilStep(killed, step, () => {
        workers.kill();
        return false;
      });
      await register(killed, turn);
      if (await isKilled) {
        kills += 1;
        atSteps[`${killed.provider} ${step}`] = (atSteps[`${killed.provider} ${step}`] ?? 0) + 1;
      } else missed += 1;
      await workers.goOn();
      // The only worker is new, so no claim belongs to a worker that lives. The lease of a dead one would last for 45 seconds.
      await world.query('update mails.due set due_at = now() where claim_token is not null');
      await findUncertain(world, uncertain);
      if (kills % 10 === 0) say(`${kills} kills`);
    }
    say('draining');
    const isDrained = await waitUntil(async () => {
      await findUncertain(world, uncertain);
      // A second confirmation is due after ten minutes.
      await world.query('update mails.due set due_at = now() where claim_token is null');
      return (await world.query('select from mails.due limit 1')).length === 0;
    }, drainMaxMs);
    const judged = await Promise.all(senders.map((sender) => judge(world, sender, uncertain)));
    await api.kill();
    return {
      checks: [
        check('every mail ends', isDrained, isDrained ? 'none waits' : 'some wait'),
        check(
          'kills and cuts happened at their steps',
          kills > missed && cuts > 0,
          `${kills} kills, ${cuts} cuts`,
        ),
        ...judged.flatMap(({ checks }) => checks),
      ],
      figures: {
        kills,
        cuts,
        'turns without a kill': missed,
        'fewest kills at one step': Math.min(...Object.values(atSteps)),
        ...Object.fromEntries(judged.map(({ provider, figure }) => [provider, figure])),
      },
    };
  },
};

/** Resolves with true when a fake has reached the step. `act` says whether the connection breaks there. */
async function untilStep({ fake }: Sender, wanted: FakeStep, act: () => boolean): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), stepMaxMs);
  const onStep = (step: FakeStep): boolean => {
    if (step !== wanted) return false;
    fake.onStep = undefined;
    resolve(true);
    return act();
  };
  fake.onStep = onStep;
  const isReached = await promise;
  clearTimeout(timer);
  if (fake.onStep === onStep) fake.onStep = undefined;
  return isReached;
}

/** An account whose mails leave through a fake. */
async function openSender(
  { apiOrigin }: ChaosWorld,
  provider: Provider,
  fake: FakeProvider,
): Promise<Sender> {
  const account = await openAccount(apiOrigin, `mails-${provider}`);
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
    credential: credentialOf(provider, fake),
    baseUrl: provider === 'smtp' ? null : fake.baseUrl,
    from: { name: 'Acme', address: 'hello@example.com' },
    replyTo: null,
  });
  return { provider, fake, account, webinar: { id, sessionTime }, registered: [] };
}

async function register({ account, webinar, registered }: Sender, turn: number): Promise<void> {
  const { id, sessionTime } = webinar;
  const email = `person-${turn}-${registered.length}@example.com`;
  await account.call(`POST /webinars/${id}/registrations`, { name: 'Ada', email, sessionTime });
  registered.push(email);
}

/** Remembers the addresses of mails whose answer was lost. They stay in the queue for ten minutes, so none is missed. */
async function findUncertain({ query }: ChaosWorld, uncertain: Set<string>): Promise<void> {
  const rows = await query<{ name: string }>(
    `select m.account_id || ' ' || m.to_address as name from mails.due d join mails.mail m on m.account_id = d.account_id and m.id = d.mail_id
     where d.uncertain_at is not null`,
  );
  for (const { name } of rows) uncertain.add(name);
}

async function judge(
  { query }: ChaosWorld,
  { provider, fake, account: { accountId }, registered }: Sender,
  uncertain: ReadonlySet<string>,
): Promise<{ provider: Provider; checks: Check[]; figure: string }> {
  const rows = await query<{ address: string; status: string }>(
    'select to_address as address, status from mails.mail where account_id = $1',
    [accountId],
  );
  const statusOf = new Map(rows.map(({ address, status }) => [address, status]));
  const times = Map.groupBy(fake.mails, ({ to }) => to[0]!);
  const arrived = (email: string): number => times.get(email)?.length ?? 0;
  const wasUncertain = (email: string): boolean => uncertain.has(`${accountId} ${email}`);
  const lost = registered.filter(
    (email) => arrived(email) === 0 && statusOf.get(email) !== 'uncertain',
  ).length;
  const twice = registered.filter((email) => arrived(email) > 1);
  const unexplained = twice.filter((email) => !wasUncertain(email) || arrived(email) > 2).length;
  const endedUncertain = registered.filter((email) => statusOf.get(email) === 'uncertain').length;
  const isRecognized = mailSenders.find(({ id }) => id === provider)!.idempotencyMs !== undefined;
  const ofAll = `of ${registered.length}`;
  return {
    provider,
    checks: [
      check(`${provider}: no mail is lost`, lost === 0, `${lost} ${ofAll}`),
      isRecognized
        ? check(
            `${provider}: no mail comes twice or ends as uncertain`,
            twice.length + endedUncertain === 0,
            `${twice.length} and ${endedUncertain} ${ofAll}`,
          )
        : check(
            `${provider}: only mails whose answer was lost come twice`,
            unexplained === 0,
            `${unexplained} ${ofAll} otherwise`,
          ),
    ],
    figure: isRecognized
      ? `${registered.length} mails`
      : `${registered.length} mails, ${registered.filter(wasUncertain).length} uncertain, of these ${twice.length} twice and ${endedUncertain} not confirmed`,
  };
}
