import { join } from 'node:path';

export const judgesFolder = join(import.meta.dirname, '../../infra/judges');

/** A program that `npm run judges` has installed: `mcp-remote/dist/proxy.js`. */
export const judgeProgram = (path: string): string => join(judgesFolder, 'node_modules', path);
