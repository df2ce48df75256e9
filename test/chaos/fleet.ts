// Two API processes behind a load balancer and two workers, which are replaced one by one.
import { freePort } from '../support/free-port.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import type { Balancer } from './balancer.ts';
import { check, type Check } from './drill.ts';
import { seconds } from './judge.ts';
import type { ChaosWorld } from './world.ts';

type Kind = 'api' | 'worker';

export interface Fleet extends Disposable {
  /** The two APIs, in the order in which they are replaced. */
  apis: ServiceProcess[];
  /** Starts one of the version in `root`, waits until it is ready, and then stops the former one of this place. */
  replace(kind: Kind, place: number, root: string): Promise<void>;
  /** Ends the two APIs and workers. */
  stop(): Promise<void>;
  /** Call it after `stop`. */
  checks(): Check[];
  /** Lines of all logs that are errors. A loaded machine causes some, such as a lock that was late. */
  errors(): string[];
}

const probeEveryMs = 500;
const stopMaxMs = 15_000;
const probeMaxMs = 2000;

/** All four are of the version in `root`, and ready. */
export async function startFleet(world: ChaosWorld, balancer: Balancer, root: string): Promise<Fleet> {
  const ready = new Set<ServiceProcess>();
  const problems: string[] = [];
  const ends: { name: string; exitCode: number | null; tookMs: number }[] = [];
  const logs: (() => string)[] = [];
  let probes = 0;

  const probe = async (process: ServiceProcess): Promise<void> => {
    const answer = await fetch(`${process.origin}/readyz`, { signal: AbortSignal.timeout(probeMaxMs) }).catch(
      (error: unknown) => error as Error,
    );
    if (!ready.has(process)) return;
    probes += 1;
    if (answer instanceof Error) problems.push(`${process.name}: ${answer.message}`);
    else if (!answer.ok) problems.push(`${process.name}: ${answer.status} ${await answer.text()}`);
  };
  const timer = setInterval(() => {
    for (const process of ready) void probe(process);
  }, probeEveryMs);
  timer.unref();

  const start = async (kind: Kind, root: string): Promise<ServiceProcess> => {
    const variables = { BASE_URL: balancer.origin.replace('127.0.0.1', 'localhost') };
    const process =
      kind === 'api'
        ? await world.startApi({ root, variables, port: await freePort() })
        : await world.startWorker({ root, variables });
    logs.push(process.logged);
    await process.untilReady();
    ready.add(process);
    if (kind === 'api') balancer.add(process.origin);
    return process;
  };
  const stop = async (kind: Kind, process: ServiceProcess): Promise<void> => {
    if (kind === 'api') await balancer.remove(process.origin);
    ready.delete(process);
    ends.push({ name: process.name, ...(await process.stop()) });
  };

  const running = {
    api: [await start('api', root), await start('api', root)],
    worker: [await start('worker', root), await start('worker', root)],
  };
  return {
    apis: running.api,
    async replace(kind, place, root) {
      const former = running[kind][place]!;
      running[kind][place] = await start(kind, root);
      await stop(kind, former);
    },
    async stop() {
      for (const kind of ['api', 'worker'] as const)
        await Promise.all(running[kind].map((process) => stop(kind, process)));
    },
    checks() {
      const slowestMs = Math.max(...ends.map(({ tookMs }) => tookMs));
      const badEnds = ends.filter(({ exitCode }) => exitCode !== 0);
      return [
        check(
          `every process stays ready until it is stopped, and says so within ${seconds(probeMaxMs)}`,
          probes > 0 && problems.length === 0,
          problems.length === 0 ? `${probes} probes` : `${problems.length} times not, first ${problems[0]}`,
        ),
        check(
          `each stopped process ends with exit code 0 within ${seconds(stopMaxMs)}`,
          badEnds.length === 0 && slowestMs <= stopMaxMs,
          badEnds.map(({ name, exitCode }) => `${name} with ${exitCode}`).join(', ') ||
            `${ends.length} ended, the slowest in ${seconds(slowestMs)}`,
        ),
      ];
    },
    errors: () => logs.flatMap((logged) => logged().split('\n').filter(isError)),
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

/** A line of the log, or of Node without a log. */
function isError(line: string): boolean {
  if (line.trim() === '') return false;
  try {
    return ['error', 'fatal'].includes((JSON.parse(line) as { level: string }).level);
  } catch {
    return true;
  }
}
