import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Notice } from '../components/notice.tsx';
import styles from '../components/page.module.css';
import { isServiceReady, onConnectionRestored, suspectConnection } from '../live/connection.ts';

/** A part of the page is missing, because a new version was installed or the service cannot be reached. */
export function LoadFailure() {
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    const tryToReload = async (): Promise<void> => {
      if (await reloadOnce()) return;
      setFailed(true);
      suspectConnection();
    };
    void tryToReload();
    return onConnectionRestored(() => void tryToReload());
  }, []);
  if (!hasFailed) return <PagePending />;
  return (
    <Notice tone="bad">
      <Group justify="space-between" gap="sm">
        <Text size="sm">
          This page could not be loaded. A new version may have been installed, or the service cannot be
          reached.
        </Text>
        <Button variant="default" onClick={() => location.reload()}>
          Reload
        </Button>
      </Group>
    </Notice>
  );
}

/** Shown while the code or the data of a page is loading. */
export function PagePending() {
  return (
    <div className={styles['page']} aria-busy>
      <Stack gap="md">
        <Skeleton height={22} width={180} />
        <Skeleton height={12} width="60%" />
        <Skeleton height={220} />
      </Stack>
    </div>
  );
}

// After a deployment the files of the former version are gone, so a page that is still open cannot load the rest of itself.

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
async function reloadOnce(): Promise<boolean> {
  const markedAtMs = Number(sessionStorage.getItem(markKey) ?? 0);
  if (Date.now() - markedAtMs < againMs || !(await isServiceReady())) return false;
  sessionStorage.setItem(markKey, String(Date.now()));
  location.reload();
  return true;
}
