import { loadEnvFile } from 'node:process';

/** Reads `.env` of the current folder, if there is one. Variables that are set already win. */
export function loadLocalEnvFile(): void {
  try {
    loadEnvFile();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
