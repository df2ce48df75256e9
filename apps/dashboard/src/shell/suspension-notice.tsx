import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Notice } from '../components/notice.tsx';
import { RelativeTime } from '../components/relative-time.tsx';
import { useTRPC } from '../trpc.ts';
import styles from './shell.module.css';

/** Shown above every page of a suspended workspace. */
export function SuspensionNotice() {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.accounts.workspace.get.queryOptions());
  const suspendedAt = data?.data.suspendedAt;
  if (!suspendedAt) return null;
  return (
    <div className={styles['suspension']}>
      <Notice tone="warn">
        <Text size="sm" fw={550}>
          This workspace is suspended
        </Text>
        <Text size="sm">
          Since <RelativeTime at={suspendedAt} />. You can read everything, revoke keys and remove members.
          API calls are refused, and webhooks wait until the workspace is resumed. Rooms stay open. Contact
          the operator of the service.
        </Text>
      </Notice>
    </div>
  );
}
