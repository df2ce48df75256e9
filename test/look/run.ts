// npm run look: pictures of every page, for people to look at. With names, only those pages: npm run look -- webinars keys
import { spawn } from 'node:child_process';
import { join } from 'node:path';

const child = spawn('vitest', ['run', '--project', 'look'], {
  cwd: join(import.meta.dirname, '../..'),
  stdio: 'inherit',
  env: { ...process.env, LOOK: 'yes', LOOK_PAGES: process.argv.slice(2).join(' ') },
});
child.on('close', (code) => {
  process.exitCode = code ?? 1;
});
