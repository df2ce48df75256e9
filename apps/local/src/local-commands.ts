import { existsSync, watch } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from './start-command.ts';
import type { SuperviseOptions } from './supervise.ts';

interface CommandOptions {
  root: string;
  watch: boolean;
  log: (line: string) => void;
}

/** The programs that make up the service, from a checkout of this repository. */
export function localCommands({ root, watch, log }: CommandOptions): SuperviseOptions['commands'] {
  const run = (name: string, ...parts: string[]): Command => ({
    name,
    program: process.execPath,
    arguments: parts,
    cwd: root,
  });
  return {
    build: buildCommand(root, run, log),
    migrate: run('The migration', 'infra/migrate.ts'),
    services: [run('The API', 'apps/api/src/main.ts'), run('The worker', 'apps/worker/src/main.ts')],
    companions: watch ? [viteCommand(root)] : [],
  };
}

function viteCommand(root: string): Command {
  const together = join(import.meta.dirname, 'exit-with-parent.ts');
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  return {
    name: "Vite's server",
    program: process.execPath,
    arguments: ['--import', together, vite],
    cwd: join(root, 'apps/dashboard'),
  };
}

function buildCommand(
  root: string,
  run: (name: string, ...parts: string[]) => Command,
  log: (line: string) => void,
): Command | undefined {
  const turbo = join(root, 'node_modules/turbo/bin/turbo');
  if (existsSync(turbo))
    return run('The dashboard build', turbo, 'run', 'build', '--output-logs=errors-only');
  if (!existsSync(join(root, 'apps/dashboard/dist/index.html'))) {
    throw new Error(
      'The dashboard is not built and its build tool is not installed: run npm ci without --omit=dev once.',
    );
  }
  log('Using the existing build of the dashboard: its build tool is not installed.');
  return undefined;
}

const settleMs = 150; // an editor writes a file in several steps

/** Calls back when a source file of the servers has changed, once for several changes. Returns a function that ends it. */
export async function watchSources(root: string, onChange: () => void): Promise<() => void> {
  const folders = await Promise.all(
    ['apps', 'modules', 'packages'].map((name) => sourceFolders(join(root, name))),
  );
  let timer: NodeJS.Timeout | undefined;
  const watchers = folders.flat().map((folder) =>
    watch(folder, { recursive: true }, (_event, file) => {
      if (!file?.endsWith('.ts') || file.endsWith('.test.ts')) return;
      clearTimeout(timer);
      timer = setTimeout(onChange, settleMs);
    }),
  );
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}

async function sourceFolders(parent: string): Promise<string[]> {
  const names = await readdir(parent);
  return names
    .filter((name) => name !== 'dashboard' && name !== 'room') // Vite serves the browser's code
    .map((name) => join(parent, name, 'src'))
    .filter((folder) => existsSync(folder));
}
