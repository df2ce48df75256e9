// npm run simulate: plays attendees of a webinar against the running service, then compares its records with their actions.
import { loadLocalEnvFile } from '@service/config';
import { randomInt } from 'node:crypto';
import { help, readOptions, videoSeconds } from './simulate/options.ts';
import { createProgress, describeRetries } from './simulate/simulation-progress.ts';
import { showLatencies, showReconciliation } from './simulate/verdict/report.ts';
import { simulate, type Summary } from './simulate/simulation.ts';
import { findTarget } from './simulate/service/target.ts';
import { listenForStop } from './stop-signals.ts';

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2), () => randomInt(2 ** 32));
  if (!options) {
    console.log(help);
    return 0;
  }
  const output = options.json ? process.stderr : process.stdout;
  using progress = createProgress(output);
  const { stop, stopNow, dispose } = listenForStop(process.env);
  const target = await findTarget(options.target, process.env);
  const requested = (options.minutes * 60) / options.speed;
  if (requested < videoSeconds(options))
    progress.say(`A video lasts at least a minute: it takes 60 s instead of ${requested.toFixed(0)} s.`);
  try {
    const summary = await simulate(options, { target, progress, stop: stop.signal, stopNow });
    progress.say(describe(summary));
    if (options.json) console.log(JSON.stringify(summary));
    return exitCodeOf(summary, stop.signal);
  } finally {
    await target.release();
    dispose();
  }
}

function describe(summary: Summary): string {
  const { latencies, refusals, retries, deliveries, revenue, reconciliation } = summary;
  const { attendees, checked, heartbeatsPerSecond } = summary;
  const refused = Object.entries(refusals).map(([what, count]) => `${count} x ${what}`);
  return [
    '',
    showLatencies(new Map(Object.entries(latencies))),
    `  ${heartbeatsPerSecond} heartbeats/s on average`,
    ...(refused.length > 0 ? [`  refused: ${refused.join(', ')}`] : []),
    ...describeRetries(new Map(Object.entries(retries))).map((line) => `  ${line}`),
    '',
    ...(deliveries
      ? [
          `${deliveries.received} webhooks received, ${deliveries.repeats} of them repeated, ${deliveries.forged} with a wrong signature.`,
        ]
      : []),
    ...(revenue
      ? [`${revenue.webhooks} events of payment providers, sent in ${revenue.requests} requests.`]
      : []),
    ...(reconciliation
      ? [
          ...(checked < attendees
            ? [`"recorded" and "fired" cover ${checked} of the ${attendees} attendees.`]
            : []),
          '',
          showReconciliation(reconciliation),
        ]
      : ['Stopped before the comparison.']),
  ].join('\n');
}

function exitCodeOf({ reconciliation, deliveries }: Summary, stop: AbortSignal): number {
  // As a shell reports Ctrl-C.
  if (stop.aborted) return 130;
  return reconciliation && reconciliation.differences.length === 0 && !deliveries?.forged ? 0 : 1;
}

try {
  loadLocalEnvFile();
  process.exitCode = await main();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
