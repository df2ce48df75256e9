import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Notice } from '../components/notice.tsx';
import styles from '../components/page.module.css';
import { onConnectionRestored, suspectConnection } from '../live/connection.ts';
import { reloadOnce } from '../new-version.ts';

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
