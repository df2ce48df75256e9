// The former version of the service: its commit in a folder of its own, so that its programs run beside those of this version.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { childEnvironment } from '../support/child-environment.ts';
import { presentRoot } from '../support/service-process.ts';
import { CannotRun } from './drill.ts';

export interface FormerVersion extends AsyncDisposable {
  /** The full hash. */
  commit: string;
  root: string;
}

const execute = promisify(execFile);
const installMaxMs = 180_000;

/**
 * Checks out a commit, by default the one that `infra/former-version` names, and gives it the installed packages. Throws
 * CannotRun when the history of this copy lacks the latter, and an error when it lacks the former.
 */
export async function openFormerVersion(given?: string): Promise<FormerVersion> {
  const named = given ?? (await readFile(join(presentRoot, 'infra/former-version'), 'utf8')).trim();
  const commit = await git('rev-parse', '--verify', '--quiet', `${named}^{commit}`).catch(() => {
    const problem = `The history of this copy has no commit ${named}. Get it with: git fetch --unshallow`;
    throw given === undefined ? new CannotRun(problem) : new Error(problem);
  });
  await using opened = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'service-former-'));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const root = join(folder, 'service');
  // Without the hooks of this copy.
  await git('-c', 'core.hooksPath=/dev/null', 'worktree', 'add', '--quiet', '--detach', root, commit);
  opened.defer(async () => void (await git('worktree', 'remove', '--force', root)));
  await install(root);
  const kept = opened.move();
  return { commit, root, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

async function git(...args: string[]): Promise<string> {
  return (await execute('git', args, { cwd: presentRoot })).stdout.trim();
}

/** The entries of a lockfile for the folders of packages. */
type Packages = Record<string, { link?: boolean; resolved?: string }>;

/** Links to the packages of this version when the former one has the same, else `npm ci`. */
async function install(root: string): Promise<void> {
  const [present, former] = await Promise.all([readPackages(presentRoot), readPackages(root)]);
  if (describeInstalled(present) !== describeInstalled(former)) {
    const options = ['--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'];
    await execute('npm', ['ci', ...options], { cwd: root, timeout: installMaxMs });
    return;
  }
  const links = new Map<string, string>();
  for (const [path, { link, resolved }] of Object.entries(former)) {
    const [top] = /^.*?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)!;
    links.set(join(root, top), link ? join(root, resolved!) : join(presentRoot, top));
  }
  for (const [path, target] of links) {
    // Packages for other systems are not installed.
    if (!existsSync(target)) continue;
    await mkdir(dirname(path), { recursive: true });
    await symlink(target, path);
  }
}

async function readPackages(root: string): Promise<Packages> {
  const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Packages;
  };
  return Object.fromEntries(Object.entries(packages).filter(([path]) => path.includes('node_modules/')));
}

const describeInstalled = (packages: Packages): string =>
  JSON.stringify(Object.entries(packages).filter(([, { link }]) => !link));

export interface ProgramResult {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a program of a version, such as `infra/migrate.ts`, to its end. */
export function runProgram(
  root: string,
  [program, ...args]: [string, ...string[]],
  { variables, maxMs }: { variables: Record<string, string>; maxMs: number },
): Promise<ProgramResult> {
  const options = { cwd: root, env: { ...childEnvironment, ...variables }, timeout: maxMs };
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...args], options, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : typeof error.code === 'number' ? error.code : 1, stdout, stderr }),
    );
  });
}
