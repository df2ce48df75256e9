import { Skeleton, Stack } from '@mantine/core';
import styles from '../components/page.module.css';

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
