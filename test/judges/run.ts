// npm run judges [-- NAME...]: programs of other vendors judge the MCP surface and the sign-in of AI clients. They are large, so they have a
// folder of their own with their own lock file, and npm ci does not install them.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { describeOptions, readCommandLineOrExit } from '@service/config';
import { passSignals } from '../support/pass-signals.ts';
import { judgesFolder } from './judge-program.ts';

const judges = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.judge.ts'))
  .map((file) => file.replace('.judge.ts', ''));

const options = {};

const help = `Usage: npm run judges [-- NAME...]

Installs programs of other vendors into infra/judges and lets them judge this version: ${judges.join(', ')}. All of them, or those named.

Options:
${describeOptions(options)}

Exit code 1 when one of them objects.`;

const { names } = readCommandLineOrExit(help, { options, names: { noun: 'judge', known: judges } });

const run = async (command: string, args: string[], cwd?: string): Promise<void> => {
  const child = spawn(command, args, { cwd, stdio: 'inherit', env: { ...process.env, JUDGES: 'yes' } });
  passSignals(child);
  const [code] = await once(child, 'exit');
  if (code !== 0) process.exit(code ?? 1);
};

await run('npm', ['ci', '--no-audit', '--no-fund'], judgesFolder);
const files = (names.length > 0 ? names : judges).map((name) => `test/judges/${name}.judge.ts`);
await run('vitest', ['run', '--project', 'judges', ...files]);
