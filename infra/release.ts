// npm run release: makes a version of the present commit. It writes the files below and commits them, and publishes nothing.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { serviceEntities, serviceMigrations } from '@service/composition';
import { describeOptions, readCommandLineOrExit } from '@service/config';
import { isCompatible, listStatements } from '@service/database';
import { git, landMigrations, migrationFilesOf } from './landed-migrations.ts';

const options = {
  version: { type: 'text', hint: 'X.Y.Z', help: 'its number (the next minor version)' },
  'dry-run': { type: 'flag', help: 'prints the section of the changelog, and changes nothing' },
} as const;

const help = `npm run release -- [OPTIONS]    makes a version of the present commit

${describeOptions(options)}

It needs the branch main without changes. It writes these files and commits them. It neither pushes nor publishes.
  package.json, package-lock.json  the number
  CHANGELOG.md                     the commits since the former version, and whether that one runs beside this one
  infra/former-version             the commit, which npm run chaos -- rollout of later versions runs
  infra/former-statements.json     its statements, which npm test prepares with the schema of later versions
  infra/landed-migrations.sha256   the hashes of its migrations, which are never edited again`;

/** Commits that the changelog leaves out: merges, versions, and those that are only about tests, decisions, comments or READMEs. */
const unlisted =
  /^(Merge |Version \d|((A|The) )?(tests?|decisions?|lint|comments?|READMEs?)(:| of | on | about | that | follows ))/i;

const { values } = readCommandLineOrExit(help, {
  options,
  check: ({ version = '0.0.0' }) =>
    /^\d+\.\d+\.\d+$/.test(version) ? [] : ['--version must be a number such as 1.2.0.'],
});

try {
  release(values.version ?? nextMinor(), values['dry-run']);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}

function release(version: string, isDryRun: boolean): void {
  const changed = readGit('status', '--porcelain', '--untracked-files=all');
  if (changed !== '') throw new Error(`Commit or undo these changes first:\n${changed}`);
  const commit = readGit('rev-parse', 'HEAD');
  const former = readFileSync('infra/former-version', 'utf8').trim();
  const problems = findProblems({ version, former, isDryRun });
  if (problems.length > 0) throw new Error(problems.join('\n'));
  const section = describeVersion(version, former);
  if (isDryRun) {
    console.log(section);
    return;
  }
  try {
    commitVersion(version, { commit, section });
  } catch (error) {
    // The copy was clean, so every change is one of this program.
    git('add', '--all');
    git('reset', '--quiet', '--hard', commit);
    throw error;
  }
  console.log(`${section}\nVersion ${version} is committed. Nothing was pushed or published.`);
}

function findProblems(release: { version: string; former: string; isDryRun: boolean }): string[] {
  const { version, former, isDryRun } = release;
  const present = readVersion();
  const problems: string[] = [];
  if (compareVersions(version, present) <= 0)
    problems.push(`The version ${version} must be higher than ${present}, the one of package.json.`);
  if (!isDryRun && readGit('branch', '--show-current') !== 'main')
    problems.push('A release needs the branch main.');
  if (!isAncestor(former))
    problems.push(
      `The former version, ${former} (infra/former-version), is not in the history of this copy and branch.`,
    );
  return problems;
}

function isAncestor(commit: string): boolean {
  try {
    git('merge-base', '--is-ancestor', commit, 'HEAD');
    return true;
  } catch {
    return false;
  }
}

/** Above 0 when the first one is higher. */
function compareVersions(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true });
}

function commitVersion(version: string, { commit, section }: { commit: string; section: string }): void {
  landMigrations(commit);
  const written = {
    'CHANGELOG.md': addSection(section),
    'infra/former-version': `${commit}\n`,
    'infra/former-statements.json': `${JSON.stringify({ commit, statements: listStatements(serviceEntities) }, null, 1)}\n`,
  };
  execFileSync('npm', ['version', version, '--no-git-tag-version', '--workspaces-update=false'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const [file, text] of Object.entries(written)) writeFileSync(file, text);
  git('add', '--update');
  git('add', ...Object.keys(written));
  git('commit', '--quiet', '--message', `Version ${version}`);
}

function readVersion(): string {
  return (JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }).version;
}

function nextMinor(): string {
  const [major, minor] = readVersion().split('.').map(Number);
  return `${major}.${minor! + 1}.0`;
}

/** The section of the changelog: newest changes first. */
function describeVersion(version: string, former: string): string {
  const subjects = readGit('log', '--no-merges', '--format=%s', `${former}..HEAD`).split('\n');
  const changes = subjects.filter((subject) => subject !== '' && !unlisted.test(subject));
  if (changes.length === 0) throw new Error(`There is no change since the former version, ${former}.`);
  const date = new Date().toISOString().slice(0, 10);
  const lines = changes.map((subject) => `- ${subject}`);
  return [`## ${version}, ${date}`, '', ...describeUpgrade(former), '', ...lines, ''].join('\n');
}

/** The migrations since the former version, and whether its processes go on beside them. */
function describeUpgrade(former: string): string[] {
  const formerNames = new Set(migrationFilesOf(former).map((file) => basename(file, '.ts')));
  const added = serviceMigrations.filter(({ name }) => !formerNames.has(name));
  const refusing = added.filter(({ compatibleFrom }) => !isCompatible(compatibleFrom, formerNames));
  const names = (some: typeof added): string =>
    some
      .map(({ name }) => name)
      .toSorted()
      .join(', ');
  return [
    added.length === 0 ? 'No migrations.' : `Migrations: ${names(added)}.`,
    refusing.length === 0
      ? 'The former version runs beside this one, so an upgrade can be taken back.'
      : `The former version does not run beside this one, so stop it first. There is no way back after ${names(refusing)}.`,
  ];
}

function addSection(section: string): string {
  const title = '# Changes\n\n';
  const former = existsSync('CHANGELOG.md') ? readFileSync('CHANGELOG.md', 'utf8').slice(title.length) : '';
  return `${title}${section}${former === '' ? '' : `\n${former}`}`;
}

function readGit(...args: string[]): string {
  return git(...args)
    .toString()
    .trim();
}
