// Pages for errors of the router.
import { Anchor, Title } from '@mantine/core';
import { useMatches, useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { FailureNotice } from '../components/failure-notice.tsx';
import { Notice } from '../components/notice.tsx';
import styles from '../components/page.module.css';
import { isFromService } from '../failure.ts';
import { isLoadFailure, LoadFailure } from './load-failure.tsx';

/** Shown when a loader or a page throws. An error of the service keeps its message; an error of this page has another text. */
export function RouteFailure({ error }: ErrorComponentProps) {
  const router = useRouter();
  return (
    <div className={styles['page']}>
      {isLoadFailure(error) ? (
        <LoadFailure />
      ) : isFromService(error) ? (
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
  // Inside a workspace the shell has the landmark already.
  const isInWorkspace = useMatches({
    select: (matches) =>
      matches.some(({ routeId, status }) => routeId === '/w/$workspaceId' && status === 'success'),
  });
  const Landmark = isInWorkspace ? 'div' : 'main';
  return (
    <Landmark className={styles['page']}>
      <title>Not found · Webinars</title>
      <Title order={1}>Nothing here</Title>
      <p>The address is wrong, or it belongs to a workspace you are not in.</p>
      <Anchor href="/">Go to your workspace</Anchor>
    </Landmark>
  );
}
