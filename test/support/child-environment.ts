/**
 * Variables for a program that a test starts; it inherits nothing else. With the cache (global-setup.ts) a program of ours starts
 * with 0.8 s of CPU instead of 1.4 s.
 */
export const childEnvironment = {
  PATH: process.env['PATH'],
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
};
