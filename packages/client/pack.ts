// npm run pack:client [-- FOLDER]: compiles the client and packs it for npm. Nothing is published.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const here = import.meta.dirname;
const folder = resolve(process.argv[2] ?? join(here, 'dist'));
const { name, version } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8')) as Record<
  string,
  string
>;

const manifest = {
  name,
  version,
  description: 'Typed client of the webinar service: its REST API and its webhooks.',
  type: 'module',
  sideEffects: false,
  exports: { '.': { types: './index.d.ts', default: './index.js' } },
  // The first one with AbortSignal.any.
  engines: { node: '>=20.3' },
};

mkdirSync(folder, { recursive: true });
run(join(here, '../../node_modules/.bin/tsc'), ['-p', here, '--outDir', folder]);
writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
cpSync(join(here, 'README.md'), join(folder, 'README.md'));
cpSync(join(here, 'verify'), join(folder, 'verify'), {
  recursive: true,
  filter: (path) => !path.endsWith('.ts'),
});
run('npm', ['pack', '--silent']);

function run(command: string, args: readonly string[]): void {
  const { status } = spawnSync(command, args, { cwd: folder, stdio: 'inherit' });
  if (status !== 0) process.exit(1);
}
