import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readRepository, testsByWorkspace, testsOf, testsOfChange } from './support/select-tests.ts';

const root = join(import.meta.dirname, '..');
const repository = readRepository(root);
const pathsOf = (...changed: string[]): string[] => testsOfChange(repository, changed).paths;

test('every test that is listed for a workspace exists, and so does the workspace', () => {
  const listed = Object.entries(testsByWorkspace).flatMap(([folder, paths]) => [folder, ...paths]);
  expect(listed.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test('every folder of tests belongs to a workspace, except the tests of benches and drills themselves', () => {
  const subjects = repository.workspaces.filter(({ folder }) => folder !== 'test');
  const chosen = new Set(subjects.flatMap(({ folder }) => testsOf(repository, folder)));
  const folders = [...repository.references.keys()]
    .filter((file) => file.endsWith('.test.ts') && file.split('/').length > 2)
    .map((file) => `${file.split('/').slice(0, 2).join('/')}/`);
  const forgotten = new Set(folders.filter((folder) => !chosen.has(folder)));
  expect([...forgotten].toSorted()).toEqual(['test/bench/', 'test/chaos/']);
});

test('a change of a module touches its tests, those that import it and the unit tests of what depends on it', () => {
  const paths = pathsOf('modules/deliveries/src/index.ts');
  expect(paths).toEqual(
    expect.arrayContaining(['modules/deliveries/', 'test/deliveries/', 'modules/automations/']),
  );
  expect(paths).toEqual(
    expect.arrayContaining(['test/triggers/payload-timers.test.ts', 'test/end-to-end.test.ts']),
  );
  expect(paths).not.toContain('test/accounts/');
});

test('a change of a file of test/ touches the tests that import it or start it as a program', () => {
  expect(pathsOf('test/support/receiver.ts')).toContain('test/deliveries/send.test.ts');
  expect(pathsOf('test/support/receiver-process.ts')).toContain('test/bench/journeys.test.ts');
  expect(pathsOf('test/deliveries/send.test.ts')).toContain('test/deliveries/send.test.ts');
});

test('a file that belongs to no workspace touches everything, and a README the tests of the whole', () => {
  expect(testsOfChange(repository, ['package-lock.json']).everythingFor).toEqual(['package-lock.json']);
  expect(testsOfChange(repository, ['infra/migrate.ts']).everythingFor).toEqual(['infra/migrate.ts']);
  expect(testsOfChange(repository, ['README.md'])).toMatchObject({
    paths: expect.arrayContaining(['test/architecture.test.ts']),
    everythingFor: [],
  });
});
