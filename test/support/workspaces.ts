import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

export interface Import {
  file: string;
  specifier: string;
  typeOnly: boolean;
}

export interface Workspace {
  name: string;
  /** `modules/keys` */
  folder: string;
  /** Names of the workspaces it declares to use. */
  internal: string[];
  /** Version by name of everything else it declares. */
  external: Record<string, string>;
  imports: Import[];
}

interface PackageJson {
  name: string;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

export function readWorkspaces(root: string): Workspace[] {
  const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    workspaces: string[];
  };
  const files = workspaces.flatMap((pattern) => globSync(join(root, pattern, 'package.json')));
  return files.map((file) => readWorkspace(root, relative(root, dirname(file))));
}

/** Version by name of everything that a folder's package.json declares. */
export function readDeclared(root: string, folder: string): Record<string, string> {
  const manifest = readManifest(root, folder);
  return { ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies };
}

const readManifest = (root: string, folder: string): PackageJson =>
  JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as PackageJson;

function readWorkspace(root: string, folder: string): Workspace {
  const declared = readDeclared(root, folder);
  const isInternal = (name: string) => name.startsWith('@service/');
  const sources = globSync(join(root, folder, '**/*.{ts,tsx,mts,mjs}'), {
    exclude: (path) => /node_modules|dist/.test(path),
  });
  return {
    name: readManifest(root, folder).name,
    folder,
    internal: Object.keys(declared).filter(isInternal),
    external: Object.fromEntries(Object.entries(declared).filter(([name]) => !isInternal(name))),
    imports: sources.flatMap((path) => readImports(relative(root, path), readFileSync(path, 'utf8'))),
  };
}

const importPattern =
  /^\s*(?:import|export)\s+(type\s)?[^'";]*?from\s+'([^']+)'|^\s*import\s+'([^']+)'|\bimport\('([^']+)'\)/gm;

const readImports = (file: string, text: string): Import[] =>
  [...text.matchAll(importPattern)].map((match) => ({
    file,
    specifier: (match[2] ?? match[3] ?? match[4])!,
    typeOnly: match[1] !== undefined,
  }));

/** The declared dependencies among workspaces, names by name. */
export const dependencies = (workspaces: readonly Workspace[]): Graph =>
  new Map(workspaces.map(({ name, internal }) => [name, new Set(internal)]));

/**
 * The imports among the folders of a workspace's `src`, type imports included and tests left out. A file directly under
 * `src` counts as a folder of its own.
 */
export function folderImports({ folder, imports }: Pick<Workspace, 'folder' | 'imports'>): Graph {
  const src = `${folder}/src/`;
  const folderOf = (file: string): string => file.slice(src.length).split('/')[0]!;
  const graph: Graph = new Map();
  for (const { file, specifier } of imports) {
    const target = join(dirname(file), specifier);
    const isInside = specifier.startsWith('.') && target.startsWith(src);
    if (!isInside || !file.startsWith(src) || /\.test\.tsx?$/.test(file)) continue;
    const [from, to] = [folderOf(file), folderOf(target)];
    if (from !== to) graph.set(from, (graph.get(from) ?? new Set()).add(to));
  }
  return graph;
}

export type Graph = Map<string, Set<string>>;

/** The largest groups of nodes that all lead to each other, each sorted. */
export function findCircles(graph: Graph): string[][] {
  const reachableByNode = new Map([...graph.keys()].map((node) => [node, reachableFrom(graph, node)]));
  const circles = [...reachableByNode].map(([node, reachable]) =>
    [...reachable].filter((other) => reachableByNode.get(other)?.has(node)).toSorted(),
  );
  const found = new Map(circles.map((circle) => [circle.join(' '), circle]));
  return [...found.values()].filter((circle) => circle.length > 0);
}

function reachableFrom(graph: Graph, start: string): Set<string> {
  const reachable = new Set<string>();
  const waiting = [start];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    for (const next of graph.get(node) ?? []) {
      if (!reachable.has(next)) waiting.push(next);
      reachable.add(next);
    }
  }
  return reachable;
}

/** `a --> b & c` lines of a Mermaid flowchart as `a -> b`, `a -> c`. */
export function parseArrows(diagram: string): string[] {
  return [...diagram.matchAll(/^\s*([\w-]+)\s*-->\s*(.+)$/gm)].flatMap(([, from, targets]) =>
    targets!.split('&').map((target) => `${from} -> ${target.trim()}`),
  );
}
