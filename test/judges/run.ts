// npm run judges [-- NAME...]: programs of other vendors judge the MCP surface, the sign-in of AI clients, the Zapier app, the n8n nodes, the
// Postman collection, the API document, the signatures of Stripe and the layout of mails. They are large, so they have folders with lock files of their own, and npm ci does not install them.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describeOptions, readCommandLineOrExit } from '@service/config';
import { runProgram } from '../support/run-program.ts';
import { infraFolder } from './judge-program.ts';

const judges = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.judge.ts'))
  .map((file) => file.replace('.judge.ts', ''));

const options = {};

const help = `Usage: npm run judges [-- NAME...]

Installs programs of other vendors into infra/judges, infra/zapier and infra/n8n and lets them judge this version: ${judges.join(', ')}. All of them, or those named.

Options:
${describeOptions(options)}

Exit code 1 when one of them objects.`;

const { names } = readCommandLineOrExit(help, { options, names: { noun: 'judge', known: judges } });

const run = async (command: string, args: string[], cwd?: string): Promise<void> => {
  const code = await runProgram(command, args, { cwd, env: { ...process.env, JUDGES: 'yes' } });
  if (code !== 0) process.exit(code);
};

const chosen = names.length > 0 ? names : judges;
/** The judges of Zapier and n8n are installed beside what they judge. */
const folderOf = (name: string): string => (['zapier', 'n8n'].includes(name) ? name : 'judges');
for (const folder of new Set(chosen.map(folderOf)))
  // n8n's library brings programs that are compiled when they are installed. The nodes do not need them.
  await run(
    'npm',
    ['ci', '--no-audit', '--no-fund', ...(folder === 'n8n' ? ['--ignore-scripts'] : [])],
    join(infraFolder, folder),
  );
const files = chosen.map((name) => `test/judges/${name}.judge.ts`);
await run('vitest', ['run', '--project', 'judges', ...files]);
