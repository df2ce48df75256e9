// An upgrade by one version and the way back, as docs/operation.md describes them, under load.
import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { startReceiver, type Receiver } from '../support/receiver.ts';
import { presentRoot } from '../support/service-process.ts';
import { startBalancer } from './balancer.ts';
import { check, type Check, type Drill } from './drill.ts';
import { startFleet } from './fleet.ts';
import { openFormerVersion, runProgram, type FormerVersion, type ProgramResult } from './former-version.ts';
import { judgeAnswers, judgeFailures, seconds } from './judge.ts';
import { reconcile } from './reconcile.ts';
import { subscribe, subscribeHealthy } from './subscriptions.ts';
import { startMixedTraffic, stopTraffic } from './traffic.ts';
import { createCaller, openAccount, type Account, type Call } from './world.ts';

const eventsPerSecond = 30;
const seenMaxMs = 60_000;
const programMaxMs = 300_000;

/** A process of the fleet, by its place. */
type Replaced = readonly ['api' | 'worker', number];

/** The order of docs/operation.md. */
const apisFirst: readonly Replaced[] = [
  ['api', 0],
  ['api', 1],
  ['worker', 0],
  ['worker', 1],
];
/** So that both versions of the API work with both versions of the workers. */
const workersBetween: readonly Replaced[] = [
  ['api', 0],
  ['worker', 0],
  ['worker', 1],
  ['api', 1],
];

export const rollout: Drill = {
  name: 'rollout',
  summary:
    'The former version (infra/former-version) serves under load: two APIs behind a load balancer, two workers, and npm run simulate. The present ' +
    'version migrates; then each API and worker is replaced by one of the present version, one by one, and later again by one of the former version, on the ' +
    'same database. No request fails, no event is lost or sent twice, no delivery ends as a failure, both simulations find no difference and go on until ' +
    'all processes are replaced, and a rule made at either version fires for registrations at the other within a minute.',
  seconds: 180,
  overheadMaxSeconds: 360,
  async run({ openWorld, seconds: forSeconds, former: commit, say }) {
    say('getting the former version');
    await using former = await openFormerVersion(commit);
    await using balancer = await startBalancer();
    await using receiver = await startReceiver();
    const world = await openWorld({ webinars: 4, former });
    const { origin } = balancer;
    const balanced = { ...world, apiOrigin: origin, call: createCaller(origin, world.key) };
    using fleet = await startFleet(world, balancer, former.root);
    const simulated = await openAccount(origin, 'Simulation');
    const [flaky, ...healthy] = world.webinars;
    await subscribeHealthy(balanced, healthy);
    await subscribe(balanced, flaky!, '/fail-some/3');
    const traffic = startMixedTraffic(balanced, world.webinars, eventsPerSecond);
    const migrate = (root: string) =>
      runProgram(root, ['infra/migrate.ts'], {
        variables: { DATABASE_URL: world.databaseUrl },
        maxMs: programMaxMs,
      });
    // The shortest webinar of the simulator.
    const playedSeconds = Math.max(60, forSeconds / 2);
    const simulate = () => startSimulation(former, { origin, account: simulated, forSeconds: playedSeconds });
    /** Each API makes a rule for registrations at the other. */
    const compareRules = () => {
      const [first, second] = fleet.apis.map(({ origin }) => createCaller(origin, simulated.key));
      return Promise.allSettled([
        untilRuleFires({ make: first!, use: second!, receiver }),
        untilRuleFires({ make: second!, use: first!, receiver }),
      ]);
    };
    const rules: PromiseSettledResult<number>[] = [];
    /** Replaces the processes one by one, and looks at rules after each of them. */
    const replaceAll = async (version: string, root: string, order: readonly Replaced[]) => {
      for (const [kind, place] of order) {
        say(`replacing ${kind} ${place + 1} by the ${version} version`);
        await fleet.replace(kind, place, root);
        rules.push(...(await compareRules()));
      }
    };

    const upgrade = simulate();
    await delay(5000);
    say('migrating');
    const migrated = [await migrate(presentRoot)];
    await replaceAll('present', presentRoot, apisFirst);
    const wentUp = upgrade.isPlaying();
    say('the present version serves alone');
    const upgraded = await upgrade.ended;
    const downgrade = simulate();
    // As npm start does. It finds nothing to do.
    migrated.push(await migrate(former.root));
    await replaceAll('former', former.root, workersBetween);
    const wentBack = downgrade.isPlaying();
    say('the former version serves alone');
    const downgraded = await downgrade.ended;
    await stopTraffic(traffic);
    say('draining');
    const { checks, figures, deliveries } = await reconcile(balanced, { traffic });
    await fleet.stop();
    return {
      checks: [
        check(
          'npm run migrate of both versions ends',
          migrated.every(({ code }) => code === 0),
          migrated.map(({ stdout, stderr }) => (stdout + stderr).trim().split('\n').at(-1)).join(' '),
        ),
        check(
          'no request through the load balancer fails',
          balancer.passed() > 0 && balancer.failures().length === 0,
          balancer
            .failures()
            .map(([failure, count]) => `${count} times ${failure}`)
            .join('\n      ') || `${balancer.passed()} passed`,
        ),
        judgeAnswers(
          traffic.flatMap(({ answers }) => answers),
          traffic.reduce((sum, { notSent }) => sum + notSent(), 0),
        ),
        judgeFailures(deliveries),
        checkSimulation('up', upgraded),
        checkSimulation('back', downgraded),
        check(
          'both simulations go on until all processes are replaced',
          wentUp && wentBack,
          wentUp && wentBack
            ? `${seconds(playedSeconds * 1000)} each`
            : `the replacements took more than ${seconds(playedSeconds * 1000)}. More time: --seconds`,
        ),
        check(
          `a rule of each version fires for registrations at the other within ${seconds(seenMaxMs)}`,
          rules.every(({ status }) => status === 'fulfilled'),
          rules
            .map((one) => (one.status === 'fulfilled' ? seconds(one.value) : (one.reason as Error).message))
            .join(', '),
        ),
        ...checks,
        ...fleet.checks(),
      ],
      figures: {
        ...figures,
        'former version': former.commit.slice(0, 8),
        requests: balancer.passed(),
        'errors logged': fleet.errors().length,
      },
    };
  },
};

/** The simulator of the former version: its integrators do not change anything for the present one. */
function startSimulation(
  former: FormerVersion,
  { origin, account, forSeconds }: { origin: string; account: Account; forSeconds: number },
) {
  const startedAt = performance.now();
  const options = {
    'base-url': origin.replace('127.0.0.1', 'localhost'),
    email: account.email,
    password: account.password,
    attendees: '40',
    minutes: String(forSeconds / 60),
    heartbeat: '2',
    seed: String(randomInt(2 ** 32)),
  };
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  return {
    ended: runProgram(former.root, ['apps/local/src/simulate.ts', ...args, '--json'], {
      variables: {},
      maxMs: programMaxMs,
    }),
    /** True at least until the webinar ends. It begins some seconds after the start. */
    isPlaying: () => performance.now() - startedAt < forSeconds * 1000,
  };
}

interface Summary {
  attendees: number;
  seed: number;
  refusals: Record<string, number>;
  deliveries: { received: number; forged: number } | null;
  reconciliation: { differences: { text: string }[] } | null;
}

function checkSimulation(way: string, { code, stdout, stderr }: ProgramResult): Check {
  const claim = `the simulation of the way ${way} finds no difference`;
  if (stdout === '') return check(claim, false, `it ended with ${code}: ${stderr.trim().slice(-1000)}`);
  const { attendees, seed, refusals, deliveries, reconciliation } = JSON.parse(stdout) as Summary;
  const problems = [
    ...(reconciliation?.differences.map(({ text }) => text) ?? ['stopped before the comparison']),
    ...Object.entries(refusals).map(([call, count]) => `${count} x ${call} refused`),
    ...(deliveries?.forged === 0 ? [] : ['webhooks are missing or have a wrong signature']),
  ];
  const passed = `${attendees} attendees, ${deliveries?.received} webhooks, seed ${seed}`;
  return check(claim, code === 0 && problems.length === 0, problems.join('\n      ') || passed);
}

interface RuleProbe {
  /** Calls the API that makes the rule. */
  make: Call;
  /** Calls the API that has cached the rules of the webinar before. */
  use: Call;
  receiver: Receiver;
}

/** Milliseconds from the answer to a new rule until its first webhook. Throws when none comes in time, or a call is refused. */
async function untilRuleFires({ make, use, receiver }: RuleProbe): Promise<number> {
  const startDate = `${new Date().getUTCFullYear() + 1}-06-01`;
  const { id } = await make<{ id: string }>('POST /webinars', {
    title: 'Rules',
    durationSeconds: 3600,
    schedule: { recurrences: [{ frequency: 'once', startDate, time: '09:00' }] },
  });
  await make(`POST /webinars/${id}/publish`);
  const sessionTime = `${startDate}T09:00:00.000Z`;
  let registered = 0;
  const register = () =>
    use(`POST /webinars/${id}/registrations`, {
      name: 'Ada',
      email: `ada-${(registered += 1)}@example.com`,
      sessionTime,
    });
  await register();
  await make(`POST /webinars/${id}/automations`, {
    name: 'Rule',
    enabled: true,
    trigger: { type: 'registered', params: {} },
    conditions: [],
    action: { type: 'webhook', url: `${receiver.url}/${id}` },
  });
  const startedAt = performance.now();
  while (performance.now() - startedAt < seenMaxMs) {
    await register();
    await delay(400);
    if (receiver.received.some(({ path }) => path.endsWith(id))) return performance.now() - startedAt;
  }
  throw new Error('no webhook came');
}
