// npm run look [-- PAGE...]: pictures of every page, for people to look at.
import { join } from 'node:path';
import { describeOptions, readCommandLineOrExit, wrapBeside } from '@service/config';
import { runProgram } from '../support/run-program.ts';
import { pages } from './pages.ts';

const known = pages.map(({ name }) => name);
const options = {};

const help = `Usage: npm run look [-- PAGE...]

Takes pictures of all pages, or of those named, into .look: light and dark, with 0, 1 and 1,000 rows, at 390 and 1440 px,
the widest pages also at 1280 px, the newest ones, those of attendees and of e-mails also at 768 px.
Then it judges them with axe, at two widths and in both colour schemes, and measures what sign-in and the lists load.

${wrapBeside('  Pages  ', known.join(', '))}

Options:
${describeOptions(options)}`;

const { names } = readCommandLineOrExit(help, { options, names: { noun: 'page', known } });

const cwd = join(import.meta.dirname, '../..');
const env = { ...process.env, LOOK: 'yes', LOOK_PAGES: names.join(' ') };
// These are pictures of the built pages.
const buildCode = await runProgram('npm', ['run', '--silent', 'build'], { cwd });
process.exitCode = buildCode || (await runProgram('vitest', ['run', '--project', 'look'], { cwd, env }));
