// npm run land-migrations: adds the migrations that main has to infra/landed-migrations.sha256.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { addLanded, listFile } from './support/landed-migrations.ts';

const tracked = execFileSync('git', ['ls-tree', '-r', '--name-only', 'main', 'modules'], {
  encoding: 'utf8',
});
const migrations = tracked
  .split('\n')
  .filter((file) => /^modules\/[^/]+\/src\/migrations\/\d{12}-[^/]+\.ts$/.test(file));
try {
  const list = readFileSync(listFile, 'utf8');
  const next = addLanded(list, migrations);
  writeFileSync(listFile, next);
  console.log(next === list ? 'The list has every migration of main.' : `Added:\n${next.slice(list.length)}`);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
