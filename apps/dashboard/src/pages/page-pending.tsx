import { Skeleton, Stack } from '@mantine/core';
import styles from '../components/page.module.css';

/** Stands in for a page whose code or session is still on its way. */
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
