import { check, type Check, type Drill, type DrillRun, type Outcome } from './drill.ts';
import { openLiveRoom } from './live-room.ts';
import { startAttackProcess } from './neighbour/start-attack-process.ts';
import { attendeeCount, createVictim, enterAll, medianUsage, type Usage } from './neighbour/victim.ts';
import { openDoors } from './revenue/providers.ts';
import { freePort } from '../support/free-port.ts';
import { openAccount } from './world.ts';
import { subscribe } from './subscriptions.ts';

const ratioMax = 2;
const warmUpSeconds = 5;
const rounds = 3;
/** Of each account. Three times the usual, so that there is enough to measure. */
const rateLimit = 1800;
/** Below that, a ratio of two says more about the machine than about the service. */
const noticeableMs = 10;

export const neighbour: Drill = {
  name: 'neighbour',
  summary:
    'An account and a stranger do their worst in 24 ways at once, such as clicks with the costliest rules, batches, bulk calls, forged calls, hanging receivers, ' +
    'duplicates and lists of the largest webinar, requests in one write, unread answers, a chat. The REST calls, heartbeats, deliveries and purchases of other accounts ' +
    'take at most twice as long as when it is quiet (median of the p99 of three rounds), with one API process and with two.',
  seconds: 360,
  async run(run) {
    const one = await attackWith(run, 1);
    const two = await attackWith(run, 2);
    return { checks: [...one.checks, ...two.checks], figures: { ...one.figures, ...two.figures } };
  },
};

async function attackWith(
  { openWorld, say, seconds }: DrillRun,
  apis: 1 | 2,
): Promise<Pick<Outcome, 'checks' | 'figures'>> {
  const name = apis === 1 ? 'one API' : 'two APIs';
  const world = await openWorld({ webinars: 1 });
  // The attack comes from another address than the payment provider.
  const variables = { API_RATE_LIMIT: String(rateLimit), TRUSTED_PROXIES: '127.0.0.1' };
  const processes = [await world.startApi({ variables })];
  if (apis === 2) processes.push(await world.startApi({ variables, port: await freePort() }));
  const worker = await world.startWorker();
  await worker.untilReady();
  const origins = processes.map(({ origin }) => origin);
  await subscribe(world, world.webinars[0]!, '/ok/victim');
  const room = await openLiveRoom(world.call, attendeeCount);
  const doors = await openDoors(await openAccount(origins[0]!, 'Seller'));
  const visits = await enterAll(origins[0]!, room);
  const victim = createVictim({ world, origins, room, visits, doors });
  say(`${name}, quiet`);
  await victim.use(warmUpSeconds);
  const quiet = await useInRounds(victim, seconds / 4);
  say(`${name}, under attack`);
  const attack = await startAttackProcess({ origins, victim: room, sellerId: doors.accountId });
  await victim.use(warmUpSeconds);
  const attacked = await useInRounds(victim, seconds / 4);
  const answers = await attack.stop();
  await Promise.all([...processes, worker].map((process) => process.kill()));
  return {
    checks: judge(quiet, attacked).map((one) => ({ ...one, claim: `${name}: ${one.claim}` })),
    figures: Object.fromEntries(describeAttack(answers).map(([way, said]) => [`${name}, ${way}`, said])),
  };
}

type Victim = ReturnType<typeof createVictim>;

/** One stall of the machine decides a p99, so the round in the middle counts. A round of 30 s has 750 calls and 250 deliveries. */
async function useInRounds(victim: Victim, seconds: number): Promise<Usage> {
  const usages: Usage[] = [];
  while (usages.length < rounds) usages.push(await victim.use(seconds / rounds));
  return medianUsage(usages);
}

function judge(quiet: Usage, attacked: Usage): Check[] {
  const ratios = (['rest', 'heartbeats', 'deliveries', 'purchases'] as const).map((kind) => {
    const [before, during] = [quiet[kind].p99, attacked[kind].p99];
    return check(
      `p99 of ${kind} is at most ${ratioMax} times that of quiet`,
      during <= ratioMax * Math.max(before, noticeableMs),
      `${before.toFixed(1)} -> ${during.toFixed(1)} ms, ${(during / before).toFixed(1)} times ` +
        `(p50 ${quiet[kind].p50.toFixed(1)} -> ${attacked[kind].p50.toFixed(1)}, ${attacked[kind].count} measured)`,
    );
  });
  const refused = [...attacked.refused].map(([what, count]) => `${count} times ${what}`);
  return [
    ...ratios,
    check('none of its calls is refused', refused.length === 0, refused.join(', ') || 'none'),
  ];
}

/** Answers of each way, so that one can see that it was tried. */
function describeAttack(answers: ReadonlyMap<string, number>): [string, string][] {
  const byWay = Map.groupBy(answers, ([label]) => label.replace(/ (\d+|no answer)$/, ''));
  return [...byWay].map(([way, counts]) => [
    way,
    counts.map(([label, count]) => `${count} x ${label.slice(way.length + 1)}`).join(' '),
  ]);
}
