import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { serviceMigrations } from '@service/composition';
import { expect, test } from 'vitest';
import { childEnvironment } from './support/child-environment.ts';

const infra = join(import.meta.dirname, '../infra');
const migrations = serviceMigrations.map(({ name }) => name).toSorted();

/** A repository with two commits: one without migrations, which is the former version, and one with all of them. */
async function createRepository() {
  const folder = await mkdtemp(join(tmpdir(), 'service-release-'));
  const root = join(folder, 'service');
  await mkdir(root);
  const run = (program: string, ...args: string[]): Promise<{ failed: boolean; output: string }> =>
    new Promise((resolve) => {
      const env = { ...childEnvironment, HOME: folder, GIT_CONFIG_NOSYSTEM: '1' };
      execFile(program, args, { cwd: root, env }, (error, stdout, stderr) =>
        resolve({ failed: error !== null, output: (stdout + stderr).trim() }),
      );
    });
  const git = async (...args: string[]): Promise<string> => (await run('git', ...args)).output;
  const write = async (file: string, text: string): Promise<void> => {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, file), text);
  };
  const commit = async (subject: string): Promise<string> => {
    await git('add', '--all');
    await git('commit', '--quiet', '--allow-empty', '--message', subject);
    return git('rev-parse', 'HEAD');
  };
  await git('init', '--quiet', '--initial-branch', 'main');
  await git('config', 'user.name', 'Ada');
  await git('config', 'user.email', 'ada@example.com');
  await write('package.json', '{ "name": "service", "version": "0.1.0" }\n');
  const empty = await commit('Empty');
  for (const name of migrations) await write(`modules/any/src/migrations/${name}.ts`, '// a migration\n');
  const first = await commit('First');
  await write('infra/former-version', `${empty}\n`);
  await write('infra/landed-migrations.sha256', '');
  return {
    root,
    first,
    git,
    write,
    commit,
    read: (file: string): Promise<string> => readFile(join(root, file), 'utf8'),
    release: (...args: string[]) => run(process.execPath, join(infra, 'release.ts'), ...args),
    land: () => run(process.execPath, join(infra, 'landed-migrations.ts')),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

test('a release names its commit, its changes and its statements, in one commit and only of a clean copy', async () => {
  await using repository = await createRepository();
  const { first, release, commit, git, read, write } = repository;
  expect(await release()).toEqual({
    failed: true,
    output: expect.stringMatching(/^Commit or undo these changes first:\n\?\? infra\/former-version\n/),
  });
  await commit('Before migrations');
  const contracted = (await release('--dry-run')).output;
  expect(contracted).toContain(`Migrations: ${migrations.join(', ')}.`);
  expect(contracted).toContain(`There is no way back after ${migrations[0]}`);
  expect(await git('status', '--porcelain')).toBe('');

  await write('infra/former-version', `${first}\n`);
  await commit('Rules can be copied');
  await commit('A test delivery names its rule');
  for (const subject of [
    'Tests of copies',
    'A test of copies',
    'The test that copies follows them',
    'Decision: copies of rules',
    'Lint of copies',
    'A comment about copies',
  ])
    await commit(subject);
  const released = await commit('Test: copies of rules');
  expect(await release()).toMatchObject({ failed: false });
  expect(await git('status', '--porcelain')).toBe('');
  expect(await git('log', '-1', '--format=%s')).toBe('Version 0.2.0');
  expect(await git('rev-parse', 'HEAD^')).toBe(released);
  expect(JSON.parse(await read('package.json'))).toMatchObject({ version: '0.2.0' });
  expect((await read('CHANGELOG.md')).split('\n')).toEqual([
    '# Changes',
    '',
    expect.stringMatching(/^## 0\.2\.0, \d{4}-\d\d-\d\d$/),
    '',
    'No migrations.',
    'The former version runs beside this one, so an upgrade can be taken back.',
    '',
    '- A test delivery names its rule',
    '- Rules can be copied',
    '- Before migrations',
    '',
  ]);
  expect(await read('infra/former-version')).toBe(`${released}\n`);
  expect(await read('infra/former-statements.json')).toContain('"name": "entity Webinar"');
  const landed = (await read('infra/landed-migrations.sha256')).trim().split('\n');
  expect(landed).toHaveLength(migrations.length);
  expect(landed[0]).toMatch(new RegExp(`^[0-9a-f]{64}  modules/any/src/migrations/${migrations[0]}.ts$`));

  await commit('Rules have notes');
  expect(await release('--version', '1.0.0')).toMatchObject({ failed: false });
  const headings = (await read('CHANGELOG.md')).split('\n').filter((line) => line.startsWith('## '));
  expect(headings.map((line) => line.split(',')[0])).toEqual(['## 1.0.0', '## 0.2.0']);
});

test('a release that is refused or fails leaves the copy as it was', async () => {
  await using repository = await createRepository();
  const { first, release, commit, git, write } = repository;
  await write('infra/former-version', `${first}\n`);
  const head = await commit('Rules can be copied');
  const expectNothingDone = async (): Promise<void> => {
    expect(await git('status', '--porcelain')).toBe('');
    expect(await git('rev-parse', 'HEAD')).toBe(head);
  };
  for (const version of ['0.1.0', '0.0.9'])
    expect(await release('--version', version)).toEqual({
      failed: true,
      output: `The version ${version} must be higher than 0.1.0, the one of package.json.`,
    });
  await expectNothingDone();
  await git('checkout', '--quiet', '-b', 'elsewhere', first);
  await write('infra/former-version', `${head}\n`);
  await write('infra/landed-migrations.sha256', '');
  await commit('Elsewhere');
  expect((await release()).output.split('\n')).toEqual([
    'A release needs the branch main.',
    expect.stringContaining(`${head} (infra/former-version), is not in the history`),
  ]);
  await git('checkout', '--quiet', 'main');

  await write('.git/hooks/pre-commit', '#!/bin/sh\nexit 1\n');
  await chmod(join(repository.root, '.git/hooks/pre-commit'), 0o755);
  expect(await release()).toMatchObject({ failed: true });
  await expectNothingDone();
});

test('landed migrations get their hashes on main, and nothing is written while the folder lacks one or has it in another form', async () => {
  await using repository = await createRepository();
  const { land, commit, git, read, write } = repository;
  const [missing, edited] = migrations.map((name) => `modules/any/src/migrations/${name}.ts`);
  const onMain = await commit('On main');
  await git('checkout', '--quiet', '-b', 'elsewhere');
  await git('rm', '--quiet', missing!);
  await write(edited!, '// another migration\n');
  const refused = await land();
  expect(refused).toMatchObject({ failed: true });
  expect(refused.output).toMatch(new RegExp(`: ${missing}, ${edited}$`));
  expect(await read('infra/landed-migrations.sha256')).toBe('');

  await git('reset', '--quiet', '--hard', onMain);
  expect(await land()).toMatchObject({ failed: false });
  const list = await read('infra/landed-migrations.sha256');
  const hash = createHash('sha256').update('// a migration\n').digest('hex');
  expect(list).toBe(migrations.map((name) => `${hash}  modules/any/src/migrations/${name}.ts\n`).join(''));
  expect((await land()).output).toBe('The list has every migration of main.');

  await write(edited!, '// another migration\n');
  expect((await land()).output).toMatch(new RegExp(`: ${edited}$`));
});
