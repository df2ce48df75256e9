import { existsSync, watch } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

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
