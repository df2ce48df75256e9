import { setTimeout as delay } from 'node:timers/promises';
import { check, type Check, type Drill } from './drill.ts';
import { killAt } from './judge.ts';
import { reconcile } from './reconcile.ts';
import { registerMany } from './traffic.ts';
import { waitUntil } from '../support/wait-until.ts';
import type { ChaosWorld } from './world.ts';

const registrants = 3000;
const endsInSeconds = 6;
const killEveryMs = 1500;
const doneMaxMs = 45_000;

export const killClock: Drill = {
  name: 'kill-clock',
  summary:
    'A session with 3,000 registrants ends while workers are killed (-9) one after the other: in the middle of the session ' +
    'clock, of the no-shows and of a timer for all registrants. Each of them is a no-show once, and each rule fires once.',
  seconds: 14,
  async run({ openWorld, say, seconds }) {
    const world = await openWorld({ webinars: 0 });
    await world.startApi();
    const webinar = await createWebinarWithRules(world);
    const traffic = [await registerMany(world, webinar, registrants)];
    const workers = [await world.startWorker(), await world.startWorker()];
    await Promise.all(workers.map((worker) => worker.untilReady()));
    await endSoon(world, webinar.id);
    say('the session ends');
    await delay((endsInSeconds - 1) * 1000);
    const kills: number[] = [];
    const endAt = performance.now() + seconds * 1000;
    while (performance.now() < endAt) {
      await delay(killEveryMs);
      const turn = kills.length % 2;
      await workers[turn]!.kill();
      kills.push(Date.now());
      say(`${kills.length} kills`);
      workers[turn] = await world.startWorker();
      await workers[turn].untilReady();
    }
    say('waiting for the no-shows and the timer');
    await waitUntil(async () => (await countFired(world)).deliveries === 2 * registrants, doneMaxMs);
    const interruptions = kills.map(killAt);
    const { checks, figures } = await reconcile(world, { traffic, interruptions });
    return { checks: [...checks, ...(await judge(world))], figures: { ...figures, kills: kills.length } };
  },
};

async function createWebinarWithRules(world: ChaosWorld): Promise<{ id: string; sessionTime: string }> {
  const startDate = `${new Date().getUTCFullYear() + 1}-06-01`;
  const { id } = await world.call<{ id: string }>('POST /webinars', {
    title: 'Ends',
    durationSeconds: 3600,
    attendance: { minSeconds: 0, noShowGraceMinutes: 0 },
    schedule: { recurrences: [{ frequency: 'once', startDate, time: '09:00' }] },
  });
  await world.call(`POST /webinars/${id}/publish`);
  const triggers = [
    { type: 'no_show', params: {} },
    { type: 'after_session', params: { offsetMinutes: 0, audience: 'all' } },
  ];
  for (const trigger of triggers) {
    await world.call(`POST /webinars/${id}/automations`, {
      name: trigger.type,
      trigger,
      action: { type: 'webhook', url: `${world.receiver.origins[0]}/ok/${trigger.type}` },
    });
  }
  return { id, sessionTime: `${startDate}T09:00:00.000Z` };
}

/** As if the session had been announced for an hour ago; nothing else in the service waits for an hour to pass. */
const endSoon = (world: ChaosWorld, webinarId: string): Promise<unknown> =>
  world.query(
    `update webinars.session set ends_at = now() + make_interval(secs => $2),
       starts_at = now() + make_interval(secs => $2) - interval '1 hour'
     where webinar_id = $1`,
    [webinarId, endsInSeconds],
  );

interface Fired {
  noShows: number;
  /** Registrations with a no_show event. */
  absent: number;
  /** Executions that fired, by rule and registration, and how many of these pairs there are. */
  deliveries: number;
  pairs: number;
}

async function countFired(world: ChaosWorld): Promise<Fired> {
  const [row] = await world.query<{ noShows: number; absent: number; deliveries: number; pairs: number }>(`
    select
      (select count(*)::int from attendees.attendee_event where type = 'no_show') as "noShows",
      (select count(distinct registration_id)::int from attendees.attendee_event where type = 'no_show') as absent,
      count(*)::int as deliveries, count(distinct (rule_id, registration_id))::int as pairs
    from automations.execution where outcome = 'matched'`);
  return row!;
}

async function judge(world: ChaosWorld): Promise<Check[]> {
  const { noShows, absent, deliveries, pairs } = await countFired(world);
  const sessions = await world.query<{ status: string }>('select status from webinars.session');
  return [
    check(
      'the session has ended',
      sessions.every(({ status }) => status === 'ended'),
      sessions.map(({ status }) => status).join(', '),
    ),
    check(
      'each registrant is a no-show, once',
      noShows === registrants && absent === registrants,
      `${noShows} events of ${absent} registrations`,
    ),
    check(
      'each of the two rules fired once for each registrant',
      deliveries === 2 * registrants && pairs === deliveries,
      `${deliveries} times for ${pairs} pairs`,
    ),
  ];
}
