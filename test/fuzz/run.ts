// npm run fuzz [-- NAME...]: all of the fuzzing, of which npm test runs a fixed share.
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { parseArgs } from 'node:util';

const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.test.ts'))
  .map((file) => file.replace('.test.ts', ''));

const help = `Usage: npm run fuzz [-- NAME...] [options]

Sends requests that no person would write and judges every answer: ${names.join(', ')}. All of them, or those named.

Options:
  --scale N   times the share that npm test runs (8: about 100,000 requests)
  --seed N    where the requests start from; another one finds other things (chosen by chance)
  --help

Exit code 1 when any answer was wrong.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { scale: { type: 'string' }, seed: { type: 'string' }, help: { type: 'boolean', default: false } },
});

const scale = Number(values.scale ?? 8);
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
const unknown = positionals.filter((name) => !names.includes(name));
if (values.help) {
  console.log(help);
  process.exit(0);
}
if (unknown.length > 0 || !(scale > 0) || !Number.isInteger(seed)) {
  const reason =
    unknown.length > 0
      ? `There is no fuzzer named ${unknown.join(', ')}.`
      : '--scale and --seed take numbers.';
  console.error(`${reason}\n\n${help}`);
  process.exit(1);
}

const files = (positionals.length > 0 ? positionals : names).map((name) => `test/fuzz/${name}.test.ts`);
const child = spawn('vitest', ['run', '--project', 'integration', '--no-file-parallelism', ...files], {
  stdio: 'inherit',
  env: { ...process.env, FUZZ_SCALE: String(scale), SEED: String(seed) },
});
child.on('exit', (code) => process.exit(code ?? 1));
