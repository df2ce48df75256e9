// Runs at the end of npm ci. The package `node` links its program to node_modules/node/bin and leaves the folder that it comes from, with
// 67 MB of headers that nothing here needs.
import { rmSync } from 'node:fs';

rmSync(new URL('../node_modules/node/node_modules', import.meta.url), { recursive: true, force: true });
