import { Button, Group, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Notice } from '../components/notice.tsx';
import { onConnectionRestored, suspectConnection } from '../live/connection.ts';
import { reloadOnce } from '../new-version.ts';
import { PagePending } from './page-pending.tsx';

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
