import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const folder = import.meta.dirname;
const read = (pattern: string): string =>
  globSync(join(folder, pattern))
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n');

/** Styles of components that are only parts of others. */
const partsOf: Record<string, readonly string[]> = {
  MultiSelect: ['Combobox', 'Pill', 'PillsInput'],
  TagsInput: ['Combobox', 'Pill', 'PillsInput'],
  Select: ['Combobox'],
  Autocomplete: ['Combobox'],
};

const importsOf = (source: string): string[] =>
  [...source.matchAll(/import \{([^}]*)\} from '@mantine\/core'/g)]
    .flatMap(([, names]) => names!.split(','))
    .map((name) => name.trim());

test('each Mantine component that the dashboard uses has its styles', () => {
  const imported = importsOf(read('**/*.{ts,tsx}'));
  const styles = join(folder, '../../../node_modules/@mantine/core/styles');
  const needed = new Set(
    imported
      .flatMap((name) => [name, ...(partsOf[name] ?? [])])
      .filter((name) => existsSync(join(styles, `${name}.layer.css`))),
  );
  const loaded = read('**/*.css');
  expect(needed.size).toBeGreaterThan(20);
  expect([...needed].filter((name) => !loaded.includes(`styles/${name}.layer.css`))).toEqual([]);
});

test('each file that uses a field of choices.css imports its styles', () => {
  const styles = read('components/choices.css').matchAll(/styles\/(\w+)\.layer/g);
  const choices = new Set([...styles].map(([, name]) => name!));
  const users = globSync(join(folder, '**/*.tsx')).filter((path) =>
    importsOf(readFileSync(path, 'utf8'))
      .flatMap((name) => [name, ...(partsOf[name] ?? [])])
      .some((name) => choices.has(name)),
  );
  expect(users.length).toBeGreaterThan(10);
  expect(users.filter((path) => !readFileSync(path, 'utf8').includes('/choices.css'))).toEqual([]);
});
