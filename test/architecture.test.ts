// Rules about imports that no other check has: package.json's `exports` and tsc refuse deep imports, `turbo boundaries` refuses
// undeclared ones.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { modules } from '@service/composition';
import { expect, test } from 'vitest';
import {
  dependencies,
  findCircles,
  folderImports,
  parseArrows,
  readDeclared,
  readWorkspaces,
  type Import,
  type Workspace,
} from './support/workspaces.ts';

const root = join(import.meta.dirname, '..');
const workspaces = readWorkspaces(root);
const byName = new Map(workspaces.map((workspace) => [workspace.name, workspace]));
const folderOf = (workspace: Workspace): string => workspace.folder.split('/')[0]!;
const nameOf = (workspace: Workspace): string => workspace.folder.split('/').at(-1)!;

/** The modules that each module imports, from the table in `modules/README.md`. */
const moduleArrows = new Map(
  readFileSync(join(root, 'modules/README.md'), 'utf8')
    .match(/^\| module \|[^]*?\n\n/m)![0]
    .split('\n')
    .slice(2)
    .map((row) => row.split('|').map((cell) => cell.trim()))
    .map(([, name, , imported = '']) => [name, imported.match(/\w+/g) ?? []]),
);

test('modules import each other only along the arrows', () => {
  for (const module of workspaces.filter((workspace) => folderOf(workspace) === 'modules')) {
    const imported = module.internal
      .map((name) => byName.get(name)!)
      .filter((other) => folderOf(other) === 'modules');
    expect(imported.map(nameOf).toSorted(), module.name).toEqual(
      moduleArrows.get(nameOf(module))?.toSorted(),
    );
  }
});

test('packages know no module and no app, and modules no app', () => {
  for (const workspace of workspaces) {
    const kinds = new Set(workspace.internal.map((name) => folderOf(byName.get(name)!)));
    if (folderOf(workspace) === 'packages')
      expect(
        [...kinds].filter((kind) => kind !== 'packages'),
        workspace.name,
      ).toEqual([]);
    if (folderOf(workspace) === 'modules')
      expect(
        [...kinds].filter((kind) => kind === 'apps' || kind === 'test'),
        workspace.name,
      ).toEqual([]);
  }
});

test('every import of another workspace is declared in package.json, and none goes through its folders', () => {
  for (const workspace of workspaces) {
    for (const { file, specifier } of workspace.imports) {
      if (specifier.startsWith('.')) {
        const target = relative(join(root, workspace.folder), join(root, dirname(file), specifier));
        expect(target.startsWith('..'), `${file} imports ${specifier}`).toBe(false);
      } else if (specifier.startsWith('@service/')) {
        const name = specifier.split('/').slice(0, 2).join('/');
        if (name !== workspace.name)
          expect(workspace.internal, `${file} imports ${specifier}`).toContain(name);
      }
    }
  }
});

test('no workspaces import each other in a circle', () => {
  expect(findCircles(dependencies(workspaces))).toEqual([]);
});

test('no folders of a workspace import each other in a circle', () => {
  for (const workspace of workspaces) {
    expect(findCircles(folderImports(workspace)), workspace.name).toEqual([]);
  }
});

test('a circle of folders is found, also one of type imports and of files directly under src', () => {
  const importsOf = (...lines: string[]) =>
    lines.map((line) => {
      const [file, specifier] = line.split(' imports ') as [string, string];
      return { file: `modules/planted/src/${file}`, specifier, typeOnly: true };
    });
  const circlesOf = (...lines: string[]): string[][] =>
    findCircles(folderImports({ folder: 'modules/planted', imports: importsOf(...lines) }));
  const oneWay = ['rule/rule.ts imports ../trigger/trigger.ts', 'trigger/trigger.ts imports ../event.ts'];
  expect(circlesOf(...oneWay)).toEqual([]);
  expect(circlesOf(...oneWay, 'trigger/trigger.test.ts imports ../rule/rule.ts')).toEqual([]);
  expect(circlesOf(...oneWay, 'trigger/parse.ts imports ../rule/rule.ts')).toEqual([['rule', 'trigger']]);
  expect(circlesOf(...oneWay, 'event.ts imports ./rule/rule.ts')).toEqual([['event.ts', 'rule', 'trigger']]);
});

test('a browser app takes types from the server, and values only from the catalogue, the conditions, the icons, the first paint, CSV, the inputs of modules and the version of records', () => {
  const browserApps = ['@service/dashboard', '@service/room'].map((name) => byName.get(name)!);
  const values = browserApps
    .flatMap((app) => app.imports)
    .filter(({ specifier, typeOnly }) => specifier.startsWith('@service/') && !typeOnly);
  const doors = [...new Set(values.map(({ specifier }) => specifier))];
  const allowed = new Set([
    '@service/catalogue',
    '@service/conditions',
    '@service/icons',
    '@service/pages/first-paint',
    '@service/rest/csv',
    '@service/trpc/version',
  ]);
  expect(doors.filter((door) => !allowed.has(door) && !door.endsWith('/inputs'))).toEqual([]);
  expect(doors.length).toBeGreaterThan(0);
});

test('what browsers load of the packages and modules imports nothing but zod', () => {
  const doors = [
    'packages/catalogue/src/index.ts',
    'packages/conditions/src/index.ts',
    'packages/rest/src/csv/csv.ts',
    'packages/trpc/src/version.ts',
    ...inputDoors(),
  ];
  expect(doors.length).toBeGreaterThan(1);
  const foreign = valueImports(doors).filter(({ specifier }) => !['zod', 'zod/mini'].includes(specifier));
  expect(foreign.map(({ file, specifier }) => `${file} imports ${specifier}`)).toEqual([]);
});

const inputDoors = (): string[] =>
  workspaces.map(({ folder }) => `${folder}/src/inputs.ts`).filter((file) => existsSync(join(root, file)));

/** The packages whose values these files import, also through other files of ours. */
function valueImports(files: readonly string[]): Import[] {
  const imports = workspaces.flatMap((workspace) => workspace.imports).filter(({ typeOnly }) => !typeOnly);
  const reached = new Set(files);
  const outside: Import[] = [];
  for (const file of reached) {
    for (const found of imports.filter((candidate) => candidate.file === file)) {
      const target = fileOf(found);
      if (target === undefined) outside.push(found);
      else reached.add(target);
    }
  }
  return outside;
}

/** The file of ours that an import names. Undefined for npm packages and modules of Node. */
function fileOf({ file, specifier }: Import): string | undefined {
  if (specifier.startsWith('.')) return join(dirname(file), specifier);
  const [scope, name, door] = specifier.split('/');
  const workspace = byName.get(`${scope}/${name}`);
  return workspace && `${workspace.folder}/src/${door ?? 'index'}.ts`;
}

test('only tests and other testing doors use testing doors', () => {
  const isForTests = (file: string): boolean => file.endsWith('.test.ts') || file.includes('/src/testing/');
  for (const workspace of workspaces.filter((candidate) => folderOf(candidate) !== 'test')) {
    const testing = workspace.imports.filter(
      ({ file, specifier }) => specifier.endsWith('/testing') && !isForTests(file),
    );
    expect(testing, workspace.name).toEqual([]);
  }
});

test('a shared dependency has one version in every package.json', () => {
  const versions = new Map<string, Set<string>>();
  for (const workspace of workspaces) {
    for (const [name, version] of Object.entries(workspace.external))
      versions.set(name, (versions.get(name) ?? new Set()).add(version));
  }
  expect([...versions].filter(([, found]) => found.size > 1).map(([name]) => name)).toEqual([]);
});

test('every package.json names one exact version of each dependency, not a range', () => {
  for (const folder of ['.', ...workspaces.map((workspace) => workspace.folder)]) {
    const external = Object.entries(readDeclared(root, folder)).filter(([name]) => !byName.has(name));
    expect(
      external.filter(([, version]) => !isExact(version)),
      folder,
    ).toEqual([]);
  }
  const ranges = [
    '^24',
    '~1.2.3',
    '24',
    '1.2',
    '*',
    'latest',
    '>=1.2.3',
    '1.2.x',
    '1.2.3 || 2.0.0',
    'npm:a@^1',
  ];
  expect(ranges.filter(isExact)).toEqual([]);
  expect(['1.2.3', '1.2.3-rc.1', 'npm:a@1.2.3'].filter(isExact)).toHaveLength(3);
});

const isExact = (version: string): boolean =>
  /^(npm:(@[\w.-]+\/)?[\w.-]+@)?\d+\.\d+\.\d+(-[\w.-]+)?$/.test(version);

test('every workspace has the tag of its folder, by which `turbo boundaries` knows its rules', () => {
  const tags: Record<string, string> = { packages: 'package', modules: 'module', apps: 'app' };
  for (const workspace of workspaces.filter((candidate) => folderOf(candidate) in tags)) {
    const file = join(root, workspace.folder, 'turbo.json');
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '{}';
    expect(JSON.parse(text).tags, `${workspace.folder}/turbo.json`).toEqual([tags[folderOf(workspace)]]);
  }
});

test('the composition lists every module, and each under the name of its folder', () => {
  const folders = workspaces.filter((workspace) => folderOf(workspace) === 'modules').map(nameOf);
  expect(modules.map(({ name }) => name).toSorted()).toEqual(folders.toSorted());
});

test('every module has a README', () => {
  for (const workspace of workspaces.filter((candidate) => folderOf(candidate) === 'modules')) {
    expect(globSync(join(root, workspace.folder, 'README.md')), workspace.name).toHaveLength(1);
  }
});

test('the diagram in README.md is the graph of the modules', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const drawn = parseArrows(/```mermaid\n([^]*?)```/.exec(readme)?.[1] ?? '');
  const real = workspaces
    .filter((workspace) => ['modules', 'apps'].includes(folderOf(workspace)))
    .flatMap((workspace) =>
      workspace.internal
        .filter((name) => ['modules', 'apps'].includes(folderOf(byName.get(name)!)))
        .map((name) => `${nameOf(workspace)} -> ${nameOf(byName.get(name)!)}`),
    );
  expect(drawn.toSorted()).toEqual(real.toSorted());
});

/** Ways to the database that only packages may use. Modules use the ORM and statements that are declared with `statement`. */
const forbiddenQueries = [
  /\.execute\s*[<(]/,
  /\bgetConnection\(|\bcreateQueryBuilder\(|\braw\(/,
  /\b(?:pool|client|connection|opened)[!?]*\.query\(/,
  /(?<!statement\()\{\s*(?:name: [^\n]*\n\s*)?text: *\n? *[`']\s*(?:with|select|insert|update|delete)\b/,
];

/** Files of modules that need another way, as README.md of packages/database lists them. */
const otherQueries = new Set([
  'modules/activity/src/list-calls.ts',
  'modules/activity/src/recorder.ts',
  'modules/deliveries/src/send/liveness.ts',
]);

const findQueries = (text: string): string[] =>
  forbiddenQueries.flatMap((pattern) => pattern.exec(text)?.[0] ?? []);

test('modules use the database only through the ORM and declared statements', () => {
  const files = globSync('modules/*/src/**/*.ts', { cwd: root }).filter(
    (file) => !/\.test\.ts$|\/migrations\//.test(file),
  );
  const found = files
    .filter((file) => findQueries(readFileSync(join(root, file), 'utf8')).length > 0)
    .toSorted();
  expect(found).toEqual([...otherQueries]);
  expect(findQueries("await em.execute<Row[]>('select 1')")).toHaveLength(1);
  expect(findQueries("await pool.query('select 1')")).toHaveLength(1);
  expect(findQueries("const one = {\n  name: 'a.b',\n  text: `\n    select 1`,\n};")).toHaveLength(1);
  expect(findQueries("const one = statement({\n  name: 'a.b',\n  text: `\n    select 1`,\n});")).toEqual([]);
});
