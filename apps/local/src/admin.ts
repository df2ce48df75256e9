// npm run --silent admin -- COMMAND: for operators and scripts. One JSON object on stdout, or one line on stderr and exit 1.
import { serviceCommands } from '@service/composition';
import { describeUsage, loadLocalEnvFile, readCommandLine } from '@service/config';
import { AppError } from '@service/errors';
import { openAdmin } from './open-admin.ts';

const describeCommand = (name: string): string => {
  const { summary, options } = serviceCommands[name]!;
  return `  ${name} ${describeUsage(options)}\n      ${summary}`;
};

const help = `npm run --silent admin -- COMMAND

${Object.keys(serviceCommands).map(describeCommand).join('\n')}

Works on DATABASE_URL, or on the database of the running npm start.`;

async function run(args: string[]): Promise<string> {
  const [name, ...rest] = args;
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') return help;
  const command = serviceCommands[name];
  if (!command)
    throw new Error(`Unknown command ${name}. There are: ${Object.keys(serviceCommands).join(', ')}.`);
  const line = readCommandLine(rest, command);
  if (!line) return describeCommand(name);
  const admin = await openAdmin(process.env);
  try {
    return JSON.stringify(await command.run(admin, line.values));
  } finally {
    await admin.close();
  }
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
