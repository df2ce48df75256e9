import { loadEnvFile } from 'node:process';

/** Reads `.env` in the current folder if it exists. It does not override variables that are set. */
export function loadLocalEnvFile(): void {
  try {
    loadEnvFile();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
