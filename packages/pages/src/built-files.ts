import { readdir, readFile, stat } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { createMemoryFile, type MemoryFile } from './memory-file.ts';

export interface BuiltFiles {
  /** The file at an encoded path such as `/assets/index.js`. Undefined when there is none. */
  find(path: string): Promise<MemoryFile | undefined>;
}

/** Compressed files that the build made beside others. */
const compressedNames = { br: '.br', gzip: '.gz' } as const;

const checkEveryMs = 1000;

/**
 * The files of a folder that the build makes. Each is read when it is first asked for and then kept, so memory is limited by the
 * size of the folder. A new build changes `mark`, and then all are read again. Only listed files are found, so no path leads out.
 */
export function createBuiltFiles(folder: string, mark: string): BuiltFiles {
  let version: string | undefined;
  let names: ReadonlySet<string> = new Set();
  let files = new Map<string, Promise<MemoryFile>>();
  let checkedMs = -Infinity;
  let checking: Promise<void> | undefined;

  const check = async (): Promise<void> => {
    const found = await versionOf(join(folder, mark));
    if (found !== version) {
      names = found === undefined ? new Set() : await listFiles(folder);
      files = new Map();
      version = found;
    }
    checkedMs = performance.now();
    checking = undefined;
  };

  const load = (name: string): Promise<MemoryFile> => {
    const loading = readBuilt(folder, name, names);
    files.set(name, loading);
    // A file that is missing during a build is read again.
    loading.catch(() => files.delete(name));
    return loading;
  };

  return {
    async find(path) {
      if (performance.now() - checkedMs > checkEveryMs) await (checking ??= check());
      const name = decode(path);
      if (name === undefined || !names.has(name) || isCompressed(name)) return undefined;
      return files.get(name) ?? load(name);
    },
  };
}

const isCompressed = (name: string): boolean =>
  Object.values(compressedNames).some((end) => name.endsWith(end));

function decode(path: string): string | undefined {
  try {
    return decodeURIComponent(path).slice(1);
  } catch {
    return undefined;
  }
}

async function versionOf(file: string): Promise<string | undefined> {
  const found = await stat(file).catch(() => undefined);
  return found && `${found.mtimeMs} ${found.size}`;
}

/** Paths relative to the folder, with `/` between their parts. */
async function listFiles(folder: string): Promise<Set<string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const listed = entries.filter((entry) => entry.isFile() && !entry.name.startsWith('.'));
  return new Set(
    listed.map(({ parentPath, name }) => relative(folder, join(parentPath, name)).split(sep).join('/')),
  );
}

async function readBuilt(folder: string, name: string, names: ReadonlySet<string>): Promise<MemoryFile> {
  const readNamed = async (end: string): Promise<Buffer | undefined> =>
    names.has(name + end) ? readFile(join(folder, name + end)) : undefined;
  const file = join(folder, name);
  const [bytes, { mtime }, br, zipped] = await Promise.all([
    readFile(file),
    stat(file),
    readNamed(compressedNames.br),
    readNamed(compressedNames.gzip),
  ]);
  return createMemoryFile({
    bytes,
    type: extname(name).slice(1),
    modifiedAt: mtime,
    built: { ...(br && { br }), ...(zipped && { gzip: zipped }) },
  });
}
