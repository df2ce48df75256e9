// After a deployment the files of the former version are gone, so a page that is still open cannot load the rest of itself.
import { isServiceReady } from './live/connection.ts';

const name = 'PageLoadError';
const markKey = 'reloaded-at';

/** A second failure within this time is not the work of a new version. */
const againMs = 60_000;

/**
 * Gives errors of failed imports a name and a message of ours. The router would reload the page for the browser's message, also
 * while the service cannot be reached, and the browser would then show an error page of its own.
 */
export function nameLoadFailures(): void {
  window.addEventListener('vite:preloadError', ({ payload }) => {
    payload.name = name;
    payload.message = 'A part of this page could not be loaded.';
  });
}

export const isLoadFailure = (error: unknown): boolean => error instanceof Error && error.name === name;

/** Reloads the page once, if the service can be reached. Returns false when it did not. */
export async function reloadOnce(): Promise<boolean> {
  const markedAtMs = Number(sessionStorage.getItem(markKey) ?? 0);
  if (Date.now() - markedAtMs < againMs || !(await isServiceReady())) return false;
  sessionStorage.setItem(markKey, String(Date.now()));
  location.reload();
  return true;
}
