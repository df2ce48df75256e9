// npm run --silent admin -- COMMAND: for operators and scripts. One JSON object on stdout, or one line on stderr and exit 1.
import { loadLocalEnvFile } from '@service/config';
import { AppError } from '@service/errors';
import { parseArgs } from 'node:util';
import { adminCommands, type AdminCommand } from './admin-commands.ts';
import { openAdmin } from './open-admin.ts';

function describeCommand(name: string, { summary, options }: AdminCommand): string {
  const flags = Object.entries(options).map(([flag, { hint, required }]) => {
    const shown = hint ? `--${flag} ${hint}` : `--${flag}`;
    return required ? shown : `[${shown}]`;
  });
  return `  ${name} ${flags.join(' ')}\n      ${summary}`;
}

const help = `npm run --silent admin -- COMMAND

${Object.entries(adminCommands)
  .map(([name, command]) => describeCommand(name, command))
  .join('\n')}

Works on DATABASE_URL, or on the database of the running npm start.`;

async function run(args: string[]): Promise<string> {
  const [name, ...rest] = args;
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') return help;
  const command = adminCommands[name];
  if (!command)
    throw new Error(`Unknown command ${name}. There are: ${Object.keys(adminCommands).join(', ')}.`);
  if (rest.includes('--help')) return describeCommand(name, command);
  const values = readFlags(command, rest);
  const admin = await openAdmin(process.env);
  try {
    return JSON.stringify(await command.run(admin, values));
  } finally {
    await admin.close();
  }
}

/** Throws one error that names every missing flag. */
function readFlags(command: AdminCommand, args: string[]): Record<string, string | boolean | undefined> {
  const options = Object.fromEntries(
    Object.entries(command.options).map(([flag, { hint }]) => [
      flag,
      { type: hint ? 'string' : 'boolean' } as const,
    ]),
  );
  const { values } = parseArgs({ args, options, strict: true });
  const missing = Object.keys(command.options).filter(
    (flag) => command.options[flag]!.required && !values[flag],
  );
  if (missing.length > 0) throw new Error(`Missing: ${missing.map((flag) => `--${flag}`).join(', ')}.`);
  return values;
}

function describeFailure(error: unknown): string {
  if (error instanceof AppError) {
    const issues = error.issues?.map((issue) => `${issue.path}: ${issue.message}`) ?? [];
    return [error.message, ...issues].join(' ');
  }
  return (error instanceof Error ? error.message : String(error)).split('\n')[0]!;
}

try {
  loadLocalEnvFile();
  console.log(await run(process.argv.slice(2)));
} catch (error) {
  console.error(describeFailure(error));
  process.exitCode = 1;
}
