// npm run land-migrations: adds the migrations of main to the list of landed ones.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';

/** A line of the list, as `sha256sum` writes it. */
interface Landed {
  hash: string;
  file: string;
}

const listFile = 'infra/landed-migrations.sha256';

/** The list of the project in the present folder. */
export const readList = (): string => readFileSync(listFile, 'utf8');

export const linesOf = (list: string): Landed[] =>
  list
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => ({ hash: line.slice(0, 64), file: line.slice(66) }));

/** The files of a list that are not as they were. */
export const changedFiles = (list: string): string[] =>
  linesOf(list)
    .filter(({ hash, file }) => hashOf(file) !== hash)
    .map(({ file }) => file);

/** The files of the migrations in a commit. */
export const migrationFilesOf = (commit: string): string[] =>
  git('ls-tree', '-r', '--name-only', commit, 'modules')
    .toString()
    .split('\n')
    .filter((file) => /^modules\/[^/]+\/src\/migrations\/\d{12}-[^/]+\.ts$/.test(file));

/**
 * Adds the migrations of a commit to the list of the project in the present folder, with their hashes in the commit. Returns the new
 * lines. Throws an error that names the migrations which the folder lacks or has in another form, and then writes nothing.
 */
export function landMigrations(commit: string): string {
  const list = readList();
  const known = new Set(linesOf(list).map(({ file }) => file));
  const lines = migrationFilesOf(commit)
    .filter((file) => !known.has(file))
    .map((file) => `${sha256(git('show', `${commit}:${file}`))}  ${file}\n`)
    .join('');
  const changed = changedFiles(list + lines);
  if (changed.length > 0)
    throw new Error(
      'These landed migrations are missing here or were edited. Get the newest commits of main, undo the edits, and write new ' +
        `migrations instead: ${changed.join(', ')}`,
    );
  writeFileSync(listFile, list + lines);
  return lines;
}

function hashOf(file: string): string | undefined {
  try {
    return sha256(readFileSync(file));
  } catch {
    return undefined;
  }
}

const sha256 = (content: Buffer): string => createHash('sha256').update(content).digest('hex');

const outputMax = 10_000_000;

/** The output of git. Its errors are thrown and not printed. */
export const git = (...args: string[]): Buffer =>
  execFileSync('git', args, { maxBuffer: outputMax, stdio: ['ignore', 'pipe', 'pipe'] });

if (import.meta.main)
  try {
    const added = landMigrations('main');
    console.log(added === '' ? 'The list has every migration of main.' : `Added:\n${added}`);
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
