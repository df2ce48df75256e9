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

/** The list with the lines of these files too. Throws an error that names the files of the list that are not as they were. */
export function addLanded(list: string, files: readonly string[]): string {
  const changed = changedFiles(list);
  if (changed.length > 0)
    throw new Error(
      `Landed migrations were edited. Undo the edits and write new ones: ${changed.join(', ')}`,
    );
  const known = new Set(linesOf(list).map(({ file }) => file));
  const added = files.filter((file) => !known.has(file)).map((file) => `${hashOf(file)}  ${file}\n`);
  return list + added.join('');
}

/** Adds the migrations of a commit to the list of the project in the present folder. Returns the new lines. */
export function landMigrations(commit: string): string {
  const list = readList();
  const tracked = execFileSync('git', ['ls-tree', '-r', '--name-only', commit, 'modules'], {
    encoding: 'utf8',
  });
  const migrations = tracked
    .split('\n')
    .filter((file) => /^modules\/[^/]+\/src\/migrations\/\d{12}-[^/]+\.ts$/.test(file));
  const next = addLanded(list, migrations);
  writeFileSync(listFile, next);
  return next.slice(list.length);
}

function hashOf(file: string): string | undefined {
  try {
    return createHash('sha256').update(readFileSync(file)).digest('hex');
  } catch {
    return undefined;
  }
}

if (import.meta.main)
  try {
    const added = landMigrations('main');
    console.log(added === '' ? 'The list has every migration of main.' : `Added:\n${added}`);
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
