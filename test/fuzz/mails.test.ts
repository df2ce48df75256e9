// Random histories of suppressions and mails through the doors of providers, recipients and members, judged by a model. SEED=n tries
// others.
import fc from 'fast-check';
import { startFake } from '@service/mail-senders/testing';
import { expect, test } from 'vitest';
import { connectFake, createMailsWorld } from '../mails/mails-world.ts';
import { openDashboard } from '../support/dashboard.ts';
import { waitUntil } from '../support/wait-until.ts';
import type { World } from '../support/world.ts';
import { requestsFor, seed } from './judge.ts';

const causes = ['unsubscribe', 'hard_bounce', 'complaint', 'by_hand', 'three_soft_bounces'] as const;
const writes = ['confirmation', 'missed'] as const;
type Step = (typeof causes)[number] | (typeof writes)[number];

/** 10,000 of `npm run fuzz`. `npm test` runs 40. */
const histories = requestsFor(1250) > 1250 ? requestsFor(1250) : requestsFor(40);
/** A member of each workspace signs in, ten in a minute at most. */
const ofAccount = 1250;
const bulkMax = 500;
/** A mail of an even step is sent after the next step, so that its address may be suppressed while it waits. */
const stepsMax = 6;
const callsAtOnce = 8;

interface Person {
  email: string;
  registrationId: string;
  history: readonly Step[];
}

test(
  `in ${histories} random histories no suppressed address is written to, and no other mail is missing`,
  { timeout: 120_000 + histories * 200 },
  async () => {
    await using fake = await startFake('brevo');
    await using mails = await createMailsWorld();
    const { sql } = mails;
    const untilSent = async (): Promise<void> => {
      const isSent = await waitUntil(
        async () => (await sql('select from mails.due limit 1')).length === 0,
        60_000 + histories * 100,
      );
      expect(isSent, 'an empty queue').toBe(true);
    };
    const arbitrary = fc
      .array(fc.constantFrom<Step>(...causes, ...writes, ...writes, ...writes), {
        minLength: 1,
        maxLength: stepsMax,
      })
      // A person gets a confirmation again five times a day.
      .filter((steps) => steps.filter((step) => step === 'confirmation').length <= 5);
    const drawn = fc.sample(arbitrary, { seed, numRuns: histories });
    const accounts: Awaited<ReturnType<typeof openAccount>>[] = [];
    for (let at = 0; at < drawn.length; at += ofAccount) {
      const world = at === 0 ? mails.world : await mails.world.neighbour();
      accounts.push(await openAccount(world, fake, drawn.slice(at, at + ofAccount)));
    }
    // Providers report only about addresses that they were given.
    await untilSent();
    expect(fake.mails).toHaveLength(histories);
    await sql(
      `update webinars.session set starts_at = now() - interval '2 hours', ends_at = now() - interval '1 hour'`,
    );

    const before = fake.mails.length;
    for (let at = 0; at < stepsMax; at += 1) {
      const mustWait = at % 2 === 0;
      if (mustWait) await sql('update mails.lane set suspended = true');
      for (const { people, take } of accounts)
        await inTurns(people, async (person) => {
          const step = person.history[at];
          if (step) await take(person, step);
        });
      if (mustWait) continue;
      await sql('update mails.lane set suspended = false');
      await untilSent();
    }
    const written = Map.groupBy(fake.mails.slice(before), ({ to }) => to[0]!);
    const people = accounts.flatMap((account) => account.people);
    const wrong = people.flatMap(({ email, history }) => {
      const subjects = (written.get(email) ?? []).map(({ subject }) => subject).toSorted();
      const expected = mailsOf(history).toSorted();
      return subjects.join() === expected.join() ? [] : [{ email, history, subjects, expected }];
    });
    expect(wrong.slice(0, 10)).toEqual([]);
    console.log(`${histories} histories with ${fake.mails.length - before} mails and SEED=${seed}`);
  },
);

/** The subjects of the mails that arrive. */
function mailsOf(history: readonly Step[]): string[] {
  const arrived: string[] = [];
  let [isUnsubscribed, isStopped] = [false, false];
  for (let at = 0; at < history.length; at += 2) {
    const steps = history.slice(at, at + 2);
    isUnsubscribed ||= steps.includes('unsubscribe');
    isStopped ||= steps.some((step) => step !== 'unsubscribe' && causes.some((cause) => cause === step));
    if (isStopped) break;
    for (const step of steps) {
      if (step === 'confirmation') arrived.push('You are registered: Launch');
      if (step === 'missed' && !isUnsubscribed) arrived.push('You missed Launch');
    }
  }
  return arrived;
}

let accountsMade = 0;
let reportsMade = 0;

/** A workspace whose webinar has one registration for each history. */
async function openAccount(
  world: World,
  fake: Awaited<ReturnType<typeof startFake>>,
  drawn: readonly (readonly Step[])[],
) {
  const { accountId, service, webinar } = world;
  const { unsubscribeLinks, reportLinks } = service.api.service;
  const connectionId = await connectFake(world, fake, 'brevo');
  const dashboard = await openDashboard(service, world);
  const account = ++accountsMade;
  const people: Person[] = [];
  for (let from = 0; from < drawn.length; from += bulkMax) {
    const registrations = drawn.slice(from, from + bulkMax).map((_history, index) => ({
      name: 'Ada',
      email: `person-${account}-${from + index}@example.com`,
      sessionTime: webinar.sessionTime,
    }));
    const made = await world.create<{ registration: { id: string; email: string } }[]>(
      '/registrations/bulk',
      { registrations },
    );
    for (const [index, { registration }] of made.entries())
      people.push({
        registrationId: registration.id,
        email: registration.email,
        history: drawn[from + index]!,
      });
  }
  const post = async (url: string, body: string | URLSearchParams): Promise<void> => {
    const { status } = await fetch(service.baseUrl + new URL(url).pathname, { method: 'POST', body });
    expect(status).toBe(200);
  };
  const report = (email: string, event: string): Promise<void> =>
    post(
      reportLinks.urlOf({ accountId, connectionId }),
      JSON.stringify({
        event,
        email,
        'message-id': `<${++reportsMade}@example.com>`,
        ts_event: Math.floor(Date.now() / 1000),
      }),
    );
  const take = async ({ email, registrationId }: Person, step: Step): Promise<void> => {
    switch (step) {
      case 'unsubscribe':
        return post(unsubscribeLinks.urlOf({ accountId, address: email }), new URLSearchParams());
      case 'by_hand':
        await dashboard.mutate('suppressions.add', { address: email });
        return;
      case 'three_soft_bounces':
        for (let count = 0; count < 3; count += 1) await report(email, 'soft_bounce');
        return;
      case 'hard_bounce':
      case 'complaint':
        return report(email, step);
      case 'confirmation':
      case 'missed':
      default:
        await world.create(`/registrations/${registrationId}/mails/${step}/send`);
    }
  };
  return { people, take };
}

/** Some at a time. */
async function inTurns<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const waiting = items.values();
  const workAll = async (): Promise<void> => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: callsAtOnce }, workAll));
}
