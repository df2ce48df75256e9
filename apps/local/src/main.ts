// `npm start`: everything on one machine.
import { endProcess, loadLocalEnvFile, readCommandLine } from '@service/config';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { readLocalConfig } from './config.ts';
import { localCommands, watchSources } from './local-commands.ts';
import { supervise } from './supervise.ts';

const help = `npm start            run the whole service on this machine, with its own PostgreSQL
npm run dev          the same, restarted when the code changes, with Vite's server for the dashboard

Environment: PORT (3000), HOST (localhost), SIGN_UP (open), BASE_URL, DATA_DIR (.data), DATABASE_URL (unset: built-in
PostgreSQL); see .env.example. With a HOST that other machines reach, webhooks may not reach this machine.`;

const root = join(import.meta.dirname, '../../..');
const log = (line: string) => console.log(line);
// A closed terminal or pipe must not prevent an orderly stop.
process.stdout.on('error', () => {});
process.stderr.on('error', () => {});

async function main(): Promise<void> {
  loadLocalEnvFile();
  keepCompiledCode();
  const line = readCommandLine(process.argv.slice(2), { options: { watch: { type: 'flag' } } });
  if (!line) return log(help);
  const { watch } = line.values;
  await supervise({
    config: readLocalConfig(process.env),
    environment: process.env,
    commands: localCommands({ root, watch, log }),
    // Loaded late: it imports all modules, and the first line on the screen must not wait for them.
    seed: async (input) => (await import('./seed.ts')).seedDemo(input),
    watch: watch ? (onChange) => watchSources(root, onChange) : undefined,
    log,
  });
}

/** Node keeps the code that it compiles for the programs of the service. Their next start needs two thirds of the CPU. */
function keepCompiledCode(): void {
  process.env['NODE_COMPILE_CACHE'] ??= join(root, 'node_modules/.cache/node-compile');
  enableCompileCache(process.env['NODE_COMPILE_CACHE']);
}

try {
  await main();
  endProcess(0);
} catch (error) {
  console.error((error as Error).message);
  endProcess(1);
}
