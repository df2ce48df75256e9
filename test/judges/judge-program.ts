import { join } from 'node:path';

export const infraFolder = join(import.meta.dirname, '../../infra');

/** A program that `npm run judges` has installed: `mcp-remote/dist/proxy.js`. */
export const judgeProgram = (path: string): string => join(infraFolder, 'judges/node_modules', path);
