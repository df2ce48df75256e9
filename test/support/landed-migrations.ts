import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { serviceMigrations } from '@service/composition';

const root = join(import.meta.dirname, '../..');

/** The lines of the list as `sha256sum` writes them: a hash and a file. */
const lines = readFileSync(join(root, 'infra/landed-migrations.sha256'), 'utf8').trim().split('\n');
const files = lines.map((line) => ({ hash: line.slice(0, 64), file: line.slice(66) }));
const names = new Set(files.map(({ file }) => basename(file, '.ts')));

/** The migrations that databases may have: those of the list. */
export const landedMigrations = serviceMigrations.filter(({ name }) => names.has(name));

/** The migrations that are being written, in the order in which they run. */
export const newMigrations = serviceMigrations
  .filter(({ name }) => !names.has(name))
  .toSorted((a, b) => (a.name < b.name ? -1 : 1));

/** The files of the list that are not as they were. */
export const changedFiles = (): string[] =>
  files.filter(({ hash, file }) => hashOf(file) !== hash).map(({ file }) => file);

function hashOf(file: string): string | undefined {
  try {
    return createHash('sha256')
      .update(readFileSync(join(root, file)))
      .digest('hex');
  } catch {
    return undefined;
  }
}
