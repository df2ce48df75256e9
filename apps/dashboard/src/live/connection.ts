// Finds out whether the service can be reached. A failed call or a broken stream is only a suspicion: /readyz decides, and is asked
// until it answers.
import { useSyncExternalStore } from 'react';

/** When the service could not be reached first, in milliseconds. Undefined while it can be reached. */
let sinceMs: number | undefined;
let checking: Promise<void> | undefined;

const listeners = new Set<() => void>();
const restoredListeners = new Set<() => void>();

const retryMinMs = 1000;
const retryMaxMs = 8000;
const timeoutMs = 8000;

/** Called when the service may be unreachable. */
export function suspectConnection(): void {
  checking ??= check(Date.now()).finally(() => (checking = undefined));
}

/** Calls `onRestored` when the service can be reached again. Returns a function that stops it. */
export function onConnectionRestored(onRestored: () => void): () => void {
  restoredListeners.add(onRestored);
  return () => void restoredListeners.delete(onRestored);
}

export const useDisconnectedSince = (): number | undefined => useSyncExternalStore(subscribe, () => sinceMs);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function setSince(next: number | undefined): void {
  sinceMs = next;
  for (const listener of listeners) listener();
}

async function check(suspectedAtMs: number): Promise<void> {
  for (let waitMs = retryMinMs; !(await isServiceReady()); waitMs = Math.min(waitMs * 2, retryMaxMs)) {
    if (sinceMs === undefined) setSince(suspectedAtMs);
    await waitOrOnline(waitMs);
  }
  if (sinceMs === undefined) return;
  setSince(undefined);
  for (const onRestored of restoredListeners) onRestored();
}

export async function isServiceReady(): Promise<boolean> {
  try {
    const { ok } = await fetch('/readyz', { cache: 'no-store', signal: AbortSignal.timeout(timeoutMs) });
    return ok;
  } catch {
    return false;
  }
}

/** The browser's `online` event is only a hint, so it ends the wait. */
function waitOrOnline(waitMs: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, waitMs);
  const onOnline = (): void => resolve();
  window.addEventListener('online', onOnline);
  return promise.finally(() => {
    clearTimeout(timer);
    window.removeEventListener('online', onOnline);
  });
}

window.addEventListener('offline', suspectConnection);
