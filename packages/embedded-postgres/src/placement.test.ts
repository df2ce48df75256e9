import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isRoot } from './os-user.ts';
import { choosePlacement } from './placement.ts';
import type { Binaries } from './binaries.ts';

let privateHome: string;
let relocationRoot: string;
let dataDir: string;
let binaries: Binaries;

beforeEach(async () => {
  privateHome = await mkdtemp(join(tmpdir(), 'private-home-')); // mkdtemp makes it private, like root's home
  relocationRoot = await mkdtemp(join(tmpdir(), 'relocation-'));
  dataDir = join(privateHome, '.data');
  const folder = join(privateHome, 'native');
  for (const name of ['bin', 'lib', 'share']) await mkdir(join(folder, name), { recursive: true });
  await writeFile(join(folder, 'bin', 'postgres'), 'program', { mode: 0o700 });
  await writeFile(join(folder, 'lib', 'libpq.so.5.18'), 'library', { mode: 0o600 });
  await symlink('libpq.so.5.18', join(folder, 'lib', 'libpq.so.5'));
  binaries = { folder, version: '18.4.0', platform: 'linux-x64' };
});

afterEach(async () => {
  await rm(privateHome, { recursive: true });
  await rm(relocationRoot, { recursive: true });
});

const place = () => choosePlacement({ dataDir, binaries, relocationRoot });

describe.runIf(isRoot())('as root', () => {
  test('programs in a private folder are copied for all users, symlinks as symlinks', async () => {
    const placement = await place();
    expect(placement.binaries).toBe(join(relocationRoot, 'postgresql-18.4.0-linux-x64'));
    expect((await stat(join(placement.binaries, 'bin', 'postgres'))).mode & 0o777).toBe(0o755);
    expect((await stat(join(placement.binaries, 'lib', 'libpq.so.5.18'))).mode & 0o777).toBe(0o644);
    expect(await readlink(join(placement.binaries, 'lib', 'libpq.so.5'))).toBe('libpq.so.5.18');
    expect(placement.notes.join(' ')).toContain(placement.binaries);
  });

  test('data in a private folder moves to the same place each time, and the folder says where', async () => {
    const first = await place();
    expect(first.home).toMatch(/\/data-[0-9a-f]{10}$/);
    expect(first.notes.join(' ')).toContain(first.home);
    expect(await readFile(join(dataDir, 'moved-to'), 'utf8')).toBe(`${first.home}\n`);
    const home = await stat(first.home);
    expect([home.uid, home.mode & 0o777]).toEqual([first.user?.uid, 0o700]);
    expect((await place()).home).toBe(first.home);
  });

  test('when the data folder was deleted the moved data is set aside, not used with new keys', async () => {
    const { home } = await place();
    await writeFile(join(home, 'password'), 'old');
    await rm(dataDir, { recursive: true });
    const again = await place();
    expect(again.home).toBe(home);
    await expect(lstat(join(home, 'password'))).rejects.toThrow('ENOENT');
    const aside = /kept in (.+)\.$/m.exec(
      again.notes.find((note) => note.includes('begins anew')) ?? '',
    )?.[1];
    expect(await readFile(join(aside ?? '', 'password'), 'utf8')).toBe('old');
  });

  test('what the database user can enter stays where it is', async () => {
    await chmod(privateHome, 0o755);
    await chmod(binaries.folder, 0o755);
    const placement = await place();
    expect(placement).toMatchObject({ home: dataDir, binaries: binaries.folder, notes: [] });
    expect((await stat(dataDir)).uid).toBe(placement.user?.uid);
  });
});
