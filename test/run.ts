// npm test: every check the project has, in one run. The last line is the sum over all of them: N passed, N failed.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { passSignals } from './support/run-program.ts';

interface Step {
  name: string;
  command: string[];
}

const root = join(import.meta.dirname, '..');

/** Tests open the built pages. */
const build: Step = { name: 'build', command: ['npm', 'run', '--silent', 'build'] };

/** Each is one check that passes or fails as a whole. */
const checks: Step[] = [
  { name: 'types and lint', command: ['npm', 'run', '--silent', 'lint'] },
  { name: 'format', command: ['npm', 'run', '--silent', 'format'] },
  { name: 'unused code and dependencies', command: ['npm', 'run', '--silent', 'unused'] },
  { name: 'boundaries', command: ['npm', 'run', '--silent', 'boundaries'] },
];

const only = process.argv.slice(2);

if (only.includes('--help')) {
  console.log(
    `npm test                 every check and test\nnpm test -- NAME ...     some: ${[...checks, build].map(({ name }) => name.split(' ')[0]).join(', ')}, tests`,
  );
  process.exit(0);
}

let passed = 0;
let failed = 0;
/** The output of failed checks. It is shown last, where the lines of the tests do not hide it. */
const failures: string[] = [];

await runCheck(build);
await Promise.all([runChecks(), runTests()]);

for (const failure of failures) console.log(failure);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

function isWanted(name: string): boolean {
  return only.length === 0 || only.some((wanted) => name.startsWith(wanted));
}

async function runChecks(): Promise<void> {
  for (const check of checks) await runCheck(check);
}

async function runCheck({ name, command }: Step): Promise<void> {
  if (!isWanted(name)) return;
  const started = performance.now();
  const { code, output } = await run(command);
  if (code === 0) passed += 1;
  else failed += 1;
  console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${name} (${seconds(started)})`);
  if (code !== 0) failures.push(`FAIL ${name}\n${output}`);
}

async function runTests(): Promise<void> {
  if (!isWanted('tests')) return;
  const folder = await mkdtemp(join(tmpdir(), 'service-results-'));
  const file = join(folder, 'results.json');
  const command = ['vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const { code } = await run(command, { inherit: true });
  const results = await readFile(file, 'utf8').then(JSON.parse, () => undefined);
  await rm(folder, { recursive: true, force: true });
  // A run that broke before or after its tests counts as a failure even if no single test failed.
  const failedTests = Number(results?.numFailedTests ?? 0);
  const skipped = Number(results?.numPendingTests ?? 0) + Number(results?.numTodoTests ?? 0);
  if (skipped > 0) console.log(`FAIL ${skipped} tests were skipped; a skipped test counts as failed`);
  passed += Number(results?.numPassedTests ?? 0);
  failed += Math.max(failedTests + skipped, code === 0 ? 0 : 1);
}

function run(
  [command, ...args]: string[],
  { inherit = false } = {},
): Promise<{ code: number; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command!, args, {
      cwd: root,
      stdio: ['ignore', inherit ? 'inherit' : 'pipe', inherit ? 'inherit' : 'pipe'],
      env: { ...process.env, DO_NOT_TRACK: '1', FORCE_COLOR: '0' },
    });
    passSignals(child);
    let output = '';
    child.stdout?.on('data', (chunk) => (output += chunk));
    child.stderr?.on('data', (chunk) => (output += chunk));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

function seconds(started: number): string {
  return `${((performance.now() - started) / 1000).toFixed(1)} s`;
}
