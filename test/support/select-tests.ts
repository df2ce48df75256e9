// Chooses the tests of a workspace, and those that a change touches.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { readWorkspaces, type Workspace } from './workspaces.ts';

export interface TestChoice {
  /** Test files and folders of them, from the repository's root; each ends in `.test.ts` or `/`. */
  paths: string[];
  /** Why every test is chosen: the files that no workspace has. */
  everythingFor: string[];
}

export interface Repository {
  workspaces: Workspace[];
  /** By each file below `test/`: the files it names (imports, programs it starts) and the workspaces it imports. */
  references: Map<string, Set<string>>;
}

/** Quick tests of the whole: the rules of imports, the schema, the variables, and one webhook from end to end. */
const always = ['architecture', 'environment', 'schema', 'end-to-end'].map((name) => `test/${name}.test.ts`);

/** Tests over HTTP import no module, so these folders and files are listed. The rest follows from names and imports. */
export const testsByWorkspace: Record<string, string[]> = {
  'apps/dashboard': ['test/browser/', 'test/look/'],
  'apps/room': ['test/browser/', 'test/look/'],
  infra: ['test/deployment/'],
  'modules/attendees': ['test/room/', 'test/erasure/'],
  'modules/automations': ['test/triggers/'],
  'modules/idempotency': ['test/rest/idempotency.test.ts', 'test/rest/kept-refusal.test.ts'],
  'modules/keys': [
    'test/rest/access.test.ts',
    'test/rest/limits-at-once.test.ts',
    'test/rest/locked-window.test.ts',
    'test/rest/rate-limit.test.ts',
    'test/rest/unauthorized.test.ts',
  ],
  'packages/rest': ['test/fuzz/'],
  'packages/surface': ['test/rest/'],
  'packages/trpc': ['test/fuzz/trpc.test.ts'],
};

export function readRepository(root: string): Repository {
  const workspaces = readWorkspaces(root);
  const folderByName = new Map(workspaces.map(({ name, folder }) => [name, folder]));
  const files = globSync('test/**/*.ts', { cwd: root, exclude: (path) => path.includes('node_modules') });
  const read = (file: string): Set<string> => {
    const quoted = [...readFileSync(join(root, file), 'utf8').matchAll(/'([^'\n]+)'/g)].map(
      ([, text]) => text!,
    );
    const named = quoted
      .filter((text) => /^[\w./-]+\.ts$/.test(text))
      .map((text) => join(dirname(file), text))
      .filter((path) => existsSync(join(root, path)));
    const imported = quoted.flatMap((text) => folderByName.get(text.split('/').slice(0, 2).join('/')) ?? []);
    return new Set([...named, ...imported]);
  };
  return { workspaces, references: new Map(files.map((file) => [file, read(file)])) };
}

/** The tests beside a workspace's code, the folder of `test/` with its name, and those listed for it. */
export function testsOf(repository: Repository, folder: string): string[] {
  const folders = [`${folder}/`, `test/${basename(folder)}/`].filter((path) => hasTests(repository, path));
  return withoutRepeats([...folders, ...(testsByWorkspace[folder] ?? [])]);
}

/**
 * The tests of each changed workspace, those that import it, the tests beside the code that depends on it, and `always`. The
 * API imports every module, so tests that only call it over HTTP count for the workspaces that they are listed for.
 */
export function testsOfChange(repository: Repository, changed: readonly string[]): TestChoice {
  const paths = [...always];
  const everythingFor: string[] = [];
  for (const file of changed) {
    const workspace = repository.workspaces.find(({ folder }) => isIn(file, folder));
    if (file.endsWith('.md')) continue; // the tests that read one are in `always`
    if (workspace?.folder === 'test') paths.push(...testsThatReach(repository, (other) => other === file));
    else if (!workspace || workspace.folder === 'infra') everythingFor.push(file);
    else {
      const { folder } = workspace;
      paths.push(...testsOf(repository, folder), ...unitTestsAbove(repository, workspace));
      paths.push(...testsThatReach(repository, (other) => isIn(other, folder)));
    }
  }
  return { paths: withoutRepeats(paths), everythingFor };
}

/** Test files that lead to a file, through other files of `test/` but not through `test/support/`, which leads to everything. */
function testsThatReach({ references }: Repository, isWanted: (file: string) => boolean): string[] {
  const reached = new Set([...references.keys()].filter(isWanted));
  const isPassable = (file: string): boolean => isWanted(file) || !isIn(file, 'test/support');
  for (let size = -1; size !== reached.size;) {
    size = reached.size;
    for (const [file, named] of references) {
      if ([...named].some((other) => isWanted(other) || (reached.has(other) && isPassable(other))))
        reached.add(file);
    }
  }
  return [...reached].filter((file) => file.endsWith('.test.ts'));
}

/** Folders of the workspaces that import a workspace, directly or not. */
function unitTestsAbove(repository: Repository, changed: Workspace): string[] {
  const above = new Set([changed.name]);
  for (let size = -1; size !== above.size;) {
    size = above.size;
    for (const { name, internal } of repository.workspaces)
      if (internal.some((other) => above.has(other))) above.add(name);
  }
  return repository.workspaces
    .filter(({ name, folder }) => above.has(name) && folder !== 'test' && hasTests(repository, `${folder}/`))
    .map(({ folder }) => `${folder}/`);
}

function hasTests({ workspaces, references }: Repository, path: string): boolean {
  const files = path.startsWith('test/')
    ? [...references.keys()]
    : workspaces.flatMap(({ imports }) => imports.map(({ file }) => file));
  return files.some((file) => file.startsWith(path) && file.endsWith('.test.ts'));
}

const isIn = (file: string, folder: string): boolean => file === folder || file.startsWith(`${folder}/`);

/** Each path once, without files whose folder is there too. */
const withoutRepeats = (paths: readonly string[]): string[] =>
  [...new Set(paths)]
    .filter((path) => !paths.some((other) => other !== path && other.endsWith('/') && path.startsWith(other)))
    .toSorted();
