// Runs at the end of npm ci. Removes files of packages that nothing here reads: the folder that the package `node` links its program from,
// with 67 MB of headers, and 79 MB of source maps.
import { readdirSync, rmSync } from 'node:fs';

const packages = new URL('../node_modules/', import.meta.url);
rmSync(new URL('node/node_modules', packages), { recursive: true, force: true });

function removeSourceMaps(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    // A link is a workspace.
    if (entry.isDirectory()) removeSourceMaps(new URL(`${encodeURIComponent(entry.name)}/`, folder));
    else if (/\.(js|cjs|mjs|ts|mts|cts|css)\.map$/.test(entry.name))
      rmSync(new URL(encodeURIComponent(entry.name), folder), { force: true });
  }
}
removeSourceMaps(packages);
