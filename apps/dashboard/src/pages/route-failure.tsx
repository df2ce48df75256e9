// What stands in for a page that cannot be shown at all.
import { Anchor, Title } from '@mantine/core';
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { FailureNotice } from '../components/failure-notice.tsx';
import { Notice } from '../components/notice.tsx';
import styles from '../components/page.module.css';
import { isFromService } from '../failure.ts';

/** A loader or a page threw. Failures of the service keep their words; a fault of ours does not pretend to be one. */
export function RouteFailure({ error }: ErrorComponentProps) {
  const router = useRouter();
  return (
    <div className={styles['page']}>
      {isFromService(error) ? (
        <FailureNotice error={error} onRetry={() => void router.invalidate()} />
      ) : (
        <Notice tone="bad">
          This page could not be shown ({error instanceof Error ? error.message : 'no reason given'}). Reload
          to try again.
        </Notice>
      )}
    </div>
  );
}

export function NotFoundPage() {
  return (
    <div className={styles['page']}>
      <title>Not found · Webinars</title>
      <Title order={1}>Nothing here</Title>
      <p>The address is wrong, or it belongs to a workspace you are not in.</p>
      <Anchor href="/">Go to your workspace</Anchor>
    </div>
  );
}
