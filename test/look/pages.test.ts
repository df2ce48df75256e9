import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pages } from './pages.ts';

const folder = join(import.meta.dirname, '../../apps/dashboard/src/routes');

/** Routes that only lead to another one. */
const redirects = new Set(['/', '/w/$workspaceId', '/w/$workspaceId/webinars/$webinarId']);

test('every route of the dashboard is in the table of pages', async () => {
  const routes = await readRoutes();
  expect(routes.length).toBeGreaterThan(15);
  const shown = new Set(pages.map(({ route }) => route.replace('$archivedId', '$webinarId')));
  expect(routes.filter((route) => !redirects.has(route) && !shown.has(route))).toEqual([]);
});

test('npm run look names the pages that exist when a name is unknown', () => {
  const run = join(import.meta.dirname, 'run.ts');
  const { status, stderr } = spawnSync(process.execPath, [run, 'webinars', 'webinar'], { encoding: 'utf8' });
  expect(stderr).toMatch(/^There is no page named webinar: sign-in, .*, room, .*\.$/m);
  expect(status).toBe(1);
});

/** The paths that the files of routes declare, each with that of its parent. */
async function readRoutes(): Promise<string[]> {
  const files = ['public-routes.tsx', 'workspace-routes.tsx', 'webinar-routes.tsx'];
  const text = (await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))).join('\n');
  const declared = /const (\w+) = createRoute\(\{\s*getParentRoute: \(\) => (\w+),\s*path: '([^']*)'/g;
  // Each file names its routes, so a name can occur twice; the child of a route is declared after it.
  const pathByName = new Map([['rootRoute', '']]);
  return [...text.matchAll(declared)].map(([, name = '', parent = '', path = '']) => {
    const whole = `${pathByName.get(parent)}/${path}`.replaceAll(/\/+/g, '/').replace(/(?<=.)\/$/, '');
    pathByName.set(name, whole);
    return whole;
  });
}
