// npm run test:module -- NAME ... and npm run test:changed: the tests of a part, for the minutes between two edits.
import { execFileSync } from 'node:child_process';
import { basename, join } from 'node:path';
import { runProgram } from './support/run-program.ts';
import { readRepository, testsOf, testsOfChange } from './support/select-tests.ts';

const usage = `npm run test:module -- NAME ...    unit and integration tests of modules, packages or apps, such as "deliveries"
npm run test:changed               tests of what differs from main, committed or not
npm run test:changed -- COMMIT     tests of what differs from a commit`;

const root = join(import.meta.dirname, '..');
const repository = readRepository(root);
const [command, ...args] = process.argv.slice(2);

if (args.includes('--help') || (command !== 'changed' && args.length === 0)) {
  console.log(usage);
  process.exitCode = args.includes('--help') ? 0 : 2;
} else {
  process.exitCode = await (command === 'changed' ? runChanged(args[0]) : runModules(args));
}

async function runModules(names: readonly string[]): Promise<number> {
  const paths: string[] = [];
  for (const name of names) {
    const found = repository.workspaces.find(({ folder }) => basename(folder) === name || folder === name);
    if (!found) {
      const known = repository.workspaces.map(({ folder }) => basename(folder)).toSorted();
      console.error(`There is no "${name}". Choose from: ${known.join(', ')}.`);
      return 2;
    }
    const own = testsOf(repository, found.folder);
    // A part without tests of its own, such as the composition: the tests of the code that uses it.
    paths.push(
      ...(own.length > 0 ? own : testsOfChange(repository, [join(found.folder, 'package.json')]).paths),
    );
  }
  return run(paths);
}

async function runChanged(since?: string): Promise<number> {
  const base = since ?? git('merge-base', 'HEAD', defaultBranch())[0]!;
  const changed = [
    ...git('diff', '--name-only', '--no-renames', base),
    ...git('ls-files', '--others', '--exclude-standard'),
  ];
  const { paths, everythingFor } = testsOfChange(repository, changed);
  console.log(`${changed.length} files differ from ${base.slice(0, 10)}.`);
  if (changed.length === 0) return 0;
  if (everythingFor.length === 0) return run(paths);
  console.log(`Every test runs, because these files concern all of them: ${everythingFor.join(', ')}`);
  return run([]);
}

/** Runs these test files and folders, or every test when there are none. */
async function run(paths: readonly string[]): Promise<number> {
  // These tests open the built pages.
  const needsBuild = paths.length === 0 || paths.some((path) => /^test\/(api|browser)\//.test(path));
  console.log(paths.length === 0 ? 'All tests' : paths.join('\n'));
  if (needsBuild) {
    const code = await runProgram('npm', ['run', '--silent', 'build'], { cwd: root });
    if (code !== 0) return code;
  }
  return runProgram('vitest', ['run', ...paths], { cwd: root });
}

function defaultBranch(): string {
  const [branch] = git(
    'for-each-ref',
    '--format=%(refname:short)',
    'refs/heads/main',
    'refs/remotes/origin/main',
  );
  if (branch === undefined) throw new Error('There is no branch main here. Name a commit to compare with.');
  return branch;
}

function git(...args: string[]): string[] {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);
}
