import { styleText } from 'node:util';
import { columns } from '../bench/report.ts';
import type { Outcome } from './drill.ts';

export interface DrillResult extends Outcome {
  name: string;
  /** Also true if the drill could not run and was not named. */
  passed: boolean;
  seconds: number;
  /** Why this machine cannot run it. */
  cannotRun?: string;
}

export interface Progress {
  say(doing: string): void;
  end(): void;
}

const everyMs = 1000;

/** One line on standard error that says what goes on and for how long; where it is no terminal, a line for each step. */
export function startProgress(name: string): Progress {
  const startedAt = performance.now();
  const terminal = process.stderr.isTTY;
  let doing = 'starting';
  const line = (): string => `${name}: ${doing} (${Math.round((performance.now() - startedAt) / 1000)} s)`;
  const show = (): void => void process.stderr.write(`\r\u001B[K${line()}`);
  if (!terminal) process.stderr.write(`${line()}\n`);
  const timer = terminal ? setInterval(show, everyMs) : undefined;
  return {
    say(next) {
      doing = next;
      if (!terminal) process.stderr.write(`${line()}\n`);
    },
    end() {
      clearInterval(timer);
      if (terminal) process.stderr.write('\r\u001B[K');
    },
  };
}

/** The result of one drill, every check on a line. */
export function describeResult({ name, passed, seconds, cannotRun, checks, figures }: DrillResult): string {
  if (cannotRun !== undefined) return `${styleText('bold', name)} not run: ${cannotRun}`;
  const verdict = passed ? styleText('green', 'passed') : styleText('red', 'FAILED');
  return [
    `${styleText('bold', name)} ${verdict} after ${seconds} s`,
    ...checks.map(({ claim, passed, figure }) => {
      return `  ${passed ? styleText('green', 'ok  ') : styleText('red', 'FAIL')} ${claim}: ${figure}`;
    }),
    `  ${Object.entries(figures)
      .map(([label, figure]) => `${label} ${figure}`)
      .join(', ')}`,
  ].join('\n');
}

const shown = ['events/s', 'deliveries/s', 'events', 'deliveries', 'duplicates'];

/** All drills, one line each. */
export const describeTable = (results: readonly DrillResult[]): string =>
  columns([
    ['drill', 'verdict', 'took', ...shown, 'checks'],
    ...results.map(({ name, passed, seconds, cannotRun, checks, figures }) => [
      name,
      cannotRun === undefined ? (passed ? 'passed' : 'FAILED') : 'not run',
      `${seconds} s`,
      ...shown.map((column) => String(figures[column] ?? '')),
      `${checks.filter((one) => one.passed).length} of ${checks.length}`,
    ]),
  ]);
