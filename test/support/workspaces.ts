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

function readWorkspace(root: string, folder: string): Workspace {
  const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as PackageJson;
  const declared = {
    ...manifest.dependencies,
    ...manifest.devDependencies,
    ...manifest.optionalDependencies,
  };
  const isInternal = (name: string) => name.startsWith('@service/');
  const sources = globSync(join(root, folder, '**/*.{ts,tsx,mts,mjs}'), {
    exclude: (path) => /node_modules|dist/.test(path),
  });
  return {
    name: manifest.name,
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

/** The names along one cycle of declared dependencies, or undefined when there is none. */
export function findCycle(workspaces: readonly Workspace[]): string[] | undefined {
  const byName = new Map(workspaces.map((workspace) => [workspace.name, workspace]));
  const done = new Set<string>();
  const visit = (name: string, trail: string[]): string[] | undefined => {
    if (trail.includes(name)) return [...trail.slice(trail.indexOf(name)), name];
    if (done.has(name)) return undefined;
    for (const next of byName.get(name)?.internal ?? []) {
      const cycle = visit(next, [...trail, name]);
      if (cycle) return cycle;
    }
    done.add(name);
    return undefined;
  };
  return workspaces.map(({ name }) => visit(name, [])).find((cycle) => cycle !== undefined);
}

/** `a --> b & c` lines of a Mermaid flowchart as `a -> b`, `a -> c`. */
export function parseArrows(diagram: string): string[] {
  return [...diagram.matchAll(/^\s*([\w-]+)\s*-->\s*(.+)$/gm)].flatMap(([, from, targets]) =>
    targets!.split('&').map((target) => `${from} -> ${target.trim()}`),
  );
}
