import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const decisions = 'infra/decisions';
const documents = globSync(
  [
    'README.md',
    'docs/*.md',
    'modules/*.md',
    '{apps,modules,packages}/*/README.md',
    'infra/{clients,decisions,flows,grafana,n8n,zapier}/*.md',
  ],
  {
    cwd: root,
  },
);

/** Paths in backticks and targets of links. Bare file names are not checked. */
function pathsIn(text: string): string[] {
  const named = [...text.matchAll(/`([\w.@-]+(?:\/[\w.@-]+)+\.(?:tsx?|mjs|md|json|yaml))`/g)];
  const linked = [...text.matchAll(/\]\(([^):#]+)\)/g)];
  return [...named, ...linked].map((match) => match[1]!);
}

test('documents name only files that exist', () => {
  // Relative to the repository, to the document, or to any module.
  const exists = (path: string, document: string): boolean =>
    globSync([path, join(dirname(document), path), `{apps,modules,packages}/*/{,src/}${path}`], { cwd: root })
      .length > 0;
  const dead = documents.flatMap((document) =>
    pathsIn(readFileSync(join(root, document), 'utf8'))
      .filter((path) => !exists(path, document))
      .map((path) => `${document}: ${path}`),
  );
  expect(dead).toEqual([]);
});

test('the index of decisions lists each decision once', () => {
  const listed = pathsIn(readFileSync(join(root, decisions, 'README.md'), 'utf8'));
  const files = readdirSync(join(root, decisions)).filter((file) => file !== 'README.md');
  expect(listed.toSorted()).toEqual(files.toSorted());
});

test('comments name only decisions that exist', () => {
  const code = globSync('{apps,modules,packages}/*/src/**/*.{ts,tsx}', { cwd: root });
  const dead = code.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/infra\/decisions\/[\w-]+\.md/g)]
      .filter(([path]) => !existsSync(join(root, path)))
      .map(([path]) => `${file}: ${path}`),
  );
  expect(code.length).toBeGreaterThan(100);
  expect(dead).toEqual([]);
});
