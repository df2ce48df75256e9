// npm run fuzz [-- NAME...]: all of the fuzzing, of which npm test runs a fixed share.
import { readdirSync } from 'node:fs';
import { describeOptions, readCommandLineOrExit } from '@service/config';
import { runProgram } from '../support/run-program.ts';

const fuzzers = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.test.ts'))
  .map((file) => file.replace('.test.ts', ''));

const options = {
  scale: {
    type: 'number',
    min: 0.01,
    default: 8,
    help: 'shares of each fuzzer, at least one of mcp and oauth; npm test runs a fifth of one, and 8 are about 130,000 requests',
  },
  seed: { type: 'number', min: 0, isWhole: true, help: 'another seed makes other requests (random)' },
} as const;

const help = `Usage: npm run fuzz [-- NAME...] [options]

Sends requests that no person would write and judges every answer: ${fuzzers.join(', ')}. All of them, or those named.

Options:
${describeOptions(options)}

Exit code 1 when any answer was wrong.`;

const { values, names } = readCommandLineOrExit(help, { options, names: { noun: 'fuzzer', known: fuzzers } });
const { scale, seed = Math.floor(Math.random() * 2 ** 31) } = values;

const files = (names.length > 0 ? names : fuzzers).map((name) => `test/fuzz/${name}.test.ts`);
process.exitCode = await runProgram(
  'vitest',
  ['run', '--project', 'integration', '--no-file-parallelism', ...files],
  { env: { ...process.env, FUZZ_SCALE: String(scale), SEED: String(seed) } },
);
