// npm run chaos [-- NAME...]: breaks things under load on purpose and judges what became of what had been acknowledged.
import { availableParallelism, loadavg } from 'node:os';
import { describeOptions, readCommandLineOrExit, wrapBeside } from '@service/config';
import { openChaosPostgres, type ChaosPostgres } from './chaos-postgres.ts';
import { contacts } from './contacts.ts';
import { descriptors } from './descriptors.ts';
import { CannotRun, check, type Drill } from './drill.ts';
import { skewedClock, wrongClock } from './clock-drills.ts';
import { killBatches } from './kill-batches.ts';
import { killClock } from './kill-clock.ts';
import { killRoom } from './kill-room.ts';
import { killWorker } from './kill-worker.ts';
import { mail } from './mail.ts';
import { migrate } from './migrate.ts';
import { neighbour } from './neighbour.ts';
import { crashPostgres, diskFull, restartPostgres, stopPostgres } from './postgres-drills.ts';
import { cutConnections, exhaustPool, killApi, pauseProcesses } from './process-drills.ts';
import { describeResult, describeTable, startProgress, type DrillResult } from './report.ts';
import { restore } from './restore.ts';
import { revenue } from './revenue.ts';
import { rollout } from './rollout.ts';
import { rotate } from './rotate.ts';
import { stopGracefully } from './stop-gracefully.ts';
import { unreadAnswers } from './unread-answers.ts';
import { openChaosWorld } from './world.ts';

const drills: Drill[] = [
  killWorker,
  killApi,
  killBatches,
  killRoom,
  killClock,
  rotate,
  restartPostgres,
  stopPostgres,
  crashPostgres,
  diskFull,
  exhaustPool,
  cutConnections,
  pauseProcesses,
  skewedClock,
  wrongClock,
  stopGracefully,
  revenue,
  descriptors,
  unreadAnswers,
  neighbour,
  mail,
  migrate,
  rollout,
  restore,
  contacts,
];

const options = {
  seconds: {
    type: 'number',
    min: 1,
    help: 'duration of the failure in each drill (default: the number in brackets)',
  },
  kills: {
    type: 'number',
    min: 1,
    isWhole: true,
    help: 'the drills mail and contacts end after so many kills, and not after their seconds',
  },
  rows: {
    type: 'number',
    min: 1,
    isWhole: true,
    help: 'the drill migrate adds so many rows to each partitioned table, and may take a second more for each 2,000 of them; people of kill-batches (20000)',
  },
  former: {
    type: 'text',
    hint: 'COMMIT',
    help: 'the drill rollout takes this commit as the former version, and not the one of infra/former-version',
  },
  json: { type: 'flag', help: 'one JSON object on standard output and nothing else there' },
} as const;

const help = `Usage: npm run chaos [-- NAME...] [options]

Failure drills against real processes: API, workers, a receiver, and a PostgreSQL of their own. All of them, or those named:

${drills.map(describeDrill).join('\n\n')}

Options:
${describeOptions(options)}

Exit code 1 when a drill failed, or when one that was named cannot run on this machine.`;

function describeDrill({ name, seconds, summary }: Drill): string {
  return `  ${wrapBeside(name.padEnd(18), `${summary} [${seconds} s]`)}`;
}

const { values, names } = readCommandLineOrExit(help, {
  options,
  names: { noun: 'drill', known: drills.map(({ name }) => name) },
});
const { seconds, kills, rows, former } = values;

/** Beyond the trouble itself, for start, draining and judging. */
const overheadUsualSeconds = 240;
const killMaxSeconds = 10;
const rowsPerSecond = 2000;

async function runDrill(drill: Drill, postgres: ChaosPostgres): Promise<DrillResult> {
  const progress = startProgress(drill.name);
  const startedAt = performance.now();
  const forSeconds = seconds ?? drill.seconds;
  const late = Promise.withResolvers<never>();
  const { overheadMaxSeconds = overheadUsualSeconds } = drill;
  const limitSeconds =
    (kills ? kills * killMaxSeconds : forSeconds) + (rows ?? 0) / rowsPerSecond + overheadMaxSeconds;
  const timer = setTimeout(
    () => late.reject(new Error(`It did not end within ${limitSeconds} s.`)),
    limitSeconds * 1000,
  );
  await using worlds = new AsyncDisposableStack();
  try {
    const running = drill.run({
      seconds: forSeconds,
      kills,
      rows,
      former,
      openWorld: async (options) => worlds.use(await openChaosWorld({ postgres, ...options })),
      say: progress.say,
    });
    running.catch(() => undefined); // a late rejection after the time limit
    const { checks, figures } = await Promise.race([running, late.promise]);
    return { ...summarize(drill, startedAt), passed: checks.every(({ passed }) => passed), checks, figures };
  } catch (error) {
    if (error instanceof CannotRun) throw error;
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const checks = [check('the drill comes to its end', false, reason)];
    return { ...summarize(drill, startedAt), passed: false, checks, figures: {} };
  } finally {
    clearTimeout(timer);
    progress.end();
  }
}

/** A server of its own for each, so that what one drill leaves behind is not the next one's trouble. */
async function openAndRun(drill: Drill): Promise<DrillResult> {
  try {
    await using postgres = await openChaosPostgres({ smallDisk: drill.smallDisk, archive: drill.archive });
    return await runDrill(drill, postgres);
  } catch (error) {
    if (!(error instanceof CannotRun)) throw error;
    const passed = !names.includes(drill.name);
    return { name: drill.name, seconds: 0, passed, cannotRun: error.message, checks: [], figures: {} };
  }
}

const summarize = ({ name }: Drill, startedAt: number) => ({
  name,
  seconds: Math.round((performance.now() - startedAt) / 1000),
});

const machine = `${availableParallelism()} CPUs, load average ${loadavg()[0]!.toFixed(1)} at the start`;
const results: DrillResult[] = [];
for (const drill of drills) {
  if (names.length > 0 && !names.includes(drill.name)) continue;
  const result = await openAndRun(drill);
  results.push(result);
  if (!values.json) console.log(`${describeResult(result)}\n`);
}
if (values.json) console.log(JSON.stringify({ machine, chaos: results }));
else console.log(`${describeTable(results)}\n\n${machine}`);
process.exitCode = results.every(({ passed }) => passed) ? 0 : 1;
