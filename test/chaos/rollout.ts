// An upgrade by one version and the way back, as the README describes them, under load.
import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { startReceiver, type Receiver } from '../support/receiver.ts';
import { waitUntil } from '../support/wait-until.ts';
import { startBalancer, type Balancer } from './balancer.ts';
import { check, type Check, type Drill } from './drill.ts';
import { startFleet } from './fleet.ts';
import { openFormerVersion, presentRoot, runProgram, type FormerVersion } from './former-version.ts';
import { countStatuses } from './healthy-drill.ts';
import { seconds } from './judge.ts';
import { reconcile } from './reconcile.ts';
import { subscribe, subscribeHealthy } from './subscriptions.ts';
import { startMixedTraffic, stopTraffic, type Traffic } from './traffic.ts';
import { createCaller, openAccount, type Account, type Call } from './world.ts';

const eventsPerSecond = 30;
const seenMaxMs = 60_000;
const programMaxMs = 300_000;

export const rollout: Drill = {
  name: 'rollout',
  summary:
    'The former version (infra/former-version) serves under load: two APIs behind a load balancer, two workers, and npm run simulate. The present ' +
    'version migrates; then each API and worker is replaced by one of the present version, one by one, and later again by one of the former version, on the ' +
    'same database. No request fails, no event is lost or sent twice, both simulations find no difference, and a rule made at either version fires for ' +
    'registrations at the other within a minute.',
  seconds: 120,
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
    const simulate = () =>
      startSimulation(former, { origin, account: simulated, forSeconds: forSeconds / 2 });
    /** Of the APIs, the first is of one version and the second of the other. */
    const compareRules = () => {
      const [first, second] = fleet.apis.map(({ origin }) => createCaller(origin, simulated.key));
      return Promise.allSettled([
        untilRuleFires({ make: first!, use: second!, receiver }),
        untilRuleFires({ make: second!, use: first!, receiver }),
      ]);
    };
    /** Replaces one API, the workers and the other API, and looks at rules before and after the workers. */
    const replaceAll = async (root: string, version: string) => {
      say(`replacing an API by the ${version} version`);
      await fleet.replace('api', 0, root);
      const before = await compareRules();
      say(`replacing the workers by those of the ${version} version`);
      await fleet.replace('worker', 0, root);
      await fleet.replace('worker', 1, root);
      const after = await compareRules();
      await fleet.replace('api', 1, root);
      return [...before, ...after];
    };

    const upgrade = simulate();
    await delay(5000);
    say('migrating');
    const migrated = [await migrate(presentRoot)];
    const rules = await replaceAll(presentRoot, 'present');
    say('the present version serves alone');
    const upgraded = await upgrade;
    const downgrade = simulate();
    // As npm start does. It finds nothing to do.
    migrated.push(await migrate(former.root));
    rules.push(...(await replaceAll(former.root, 'former')));
    say('the former version serves alone');
    const downgraded = await downgrade;
    await stopTraffic(traffic);
    say('draining');
    const { checks, figures } = await reconcile(balanced, { traffic });
    await fleet.stop();
    return {
      checks: [
        check(
          'npm run migrate of both versions ends',
          migrated.every(({ code }) => code === 0),
          migrated.map(({ stdout, stderr }) => (stdout + stderr).trim().split('\n').at(-1)).join(' '),
        ),
        checkRequests(balancer, traffic),
        checkSimulation('up', upgraded),
        checkSimulation('back', downgraded),
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

function checkRequests(balancer: Balancer, traffic: readonly Traffic[]): Check {
  const refused = traffic.flatMap(({ answers }) => answers).filter(({ acknowledged }) => !acknowledged);
  const failures = balancer.failures().map(([failure, count]) => `${count} times ${failure}`);
  if (refused.length > 0) failures.push(`registrations not acknowledged: ${countStatuses(refused)}`);
  return check(
    'no request fails',
    failures.length === 0,
    failures.join('\n      ') || `${balancer.passed()} passed`,
  );
}

interface Simulation {
  code: number;
  stdout: string;
  stderr: string;
}

/** The simulator of the former version: its integrators do not change anything for the present one. */
const startSimulation = (
  former: FormerVersion,
  { origin, account, forSeconds }: { origin: string; account: Account; forSeconds: number },
): Promise<Simulation> =>
  runProgram(
    former.root,
    [
      'apps/local/src/simulate.ts',
      ...Object.entries({
        'base-url': origin.replace('127.0.0.1', 'localhost'),
        email: account.email,
        password: account.password,
        attendees: '40',
        minutes: String(Math.max(1, forSeconds / 60)),
        heartbeat: '2',
        seed: String(randomInt(2 ** 32)),
      }).flatMap(([name, value]) => [`--${name}`, value]),
      '--json',
    ],
    { variables: {}, maxMs: programMaxMs },
  );

interface Summary {
  attendees: number;
  seed: number;
  refusals: Record<string, number>;
  deliveries: { received: number; forged: number } | null;
  reconciliation: { differences: { text: string }[] } | null;
}

function checkSimulation(way: string, { code, stdout, stderr }: Simulation): Check {
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
  const fired = await waitUntil(async () => {
    await register();
    await delay(400);
    return receiver.received.some(({ path }) => path.endsWith(id));
  }, seenMaxMs);
  if (!fired) throw new Error('no webhook came');
  return performance.now() - startedAt;
}
