// The list of landed migrations. As a program (npm run land-migrations) it adds to the list what main has.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { serviceMigrations } from '@service/composition';

const root = join(import.meta.dirname, '../..');

/** Each line is one of `sha256sum`: a hash and a file. */
const listFile = join(root, 'infra/landed-migrations.sha256');
const linesOf = (list: string): { hash: string; file: string }[] =>
  list
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => ({ hash: line.slice(0, 64), file: line.slice(66) }));
const files = linesOf(readFileSync(listFile, 'utf8'));
const names = new Set(files.map(({ file }) => basename(file, '.ts')));

/** The migrations that databases may have: those of the list. */
export const landedMigrations = serviceMigrations.filter(({ name }) => names.has(name));

/** The migrations that are being written, in the order in which they run. */
export const newMigrations = serviceMigrations
  .filter(({ name }) => !names.has(name))
  .toSorted((a, b) => (a.name < b.name ? -1 : 1));

/** The files of a list that are not as they were. */
export const changedFiles = (landed = files): string[] =>
  landed.filter(({ hash, file }) => hashOf(file) !== hash).map(({ file }) => file);

/** The list with the lines of these files too. Throws an error that names the files of the list that are not as they were. */
export function addLanded(list: string, further: readonly string[]): string {
  const landed = linesOf(list);
  const changed = changedFiles(landed);
  if (changed.length > 0)
    throw new Error(
      `Landed migrations were edited. Undo the edits and write new ones: ${changed.join(', ')}`,
    );
  const known = new Set(landed.map(({ file }) => file));
  return (
    list +
    further
      .filter((file) => !known.has(file))
      .map((file) => `${hashOf(file)}  ${file}\n`)
      .join('')
  );
}

function hashOf(file: string): string | undefined {
  try {
    return createHash('sha256')
      .update(readFileSync(join(root, file)))
      .digest('hex');
  } catch {
    return undefined;
  }
}

function landMigrations(): void {
  const tracked = execFileSync('git', ['ls-tree', '-r', '--name-only', 'main', 'modules'], {
    cwd: root,
    encoding: 'utf8',
  });
  const migrations = tracked
    .split('\n')
    .filter((file) => /^modules\/[^/]+\/src\/migrations\/\d{12}-[^/]+\.ts$/.test(file));
  const list = readFileSync(listFile, 'utf8');
  const next = addLanded(list, migrations);
  writeFileSync(listFile, next);
  console.log(next === list ? 'The list has every migration of main.' : `Added:\n${next.slice(list.length)}`);
}

if (import.meta.main)
  try {
    landMigrations();
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
