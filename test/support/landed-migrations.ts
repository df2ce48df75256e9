import { basename } from 'node:path';
import { serviceMigrations } from '@service/composition';
import { linesOf, readList } from '@service/infra/landed-migrations';

const names = new Set(linesOf(readList()).map(({ file }) => basename(file, '.ts')));

/** The migrations that databases may have: those of the list. */
export const landedMigrations = serviceMigrations.filter(({ name }) => names.has(name));

/** The migrations that are being written, in the order in which they run. */
export const newMigrations = serviceMigrations
  .filter(({ name }) => !names.has(name))
  .toSorted((a, b) => (a.name < b.name ? -1 : 1));
