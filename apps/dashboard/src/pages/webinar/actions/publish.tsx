import { Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { Notice } from '../../../components/notice.tsx';
import { failureOf } from '../../../failure.ts';
import { focusContentIfLost } from '../../../focus.ts';
import { useTRPC, type Webinar } from '../../../trpc.ts';
import { WorkspaceLink } from '../../../workspace.ts';
import { useInvalidation } from '../use-invalidation.ts';
import styles from './actions.module.css';

/**
 * Publishing a draft, and its problems: before the first try those of a check that changes nothing. With unsaved changes nothing is
 * published, because it would be the draft without them.
 */
export function usePublish(webinar: Webinar | undefined, isDirty: boolean) {
  const trpc = useTRPC();
  const changed = useInvalidation((trpc) => [trpc.webinars, trpc.sessions]);
  const webinarId = webinar?.id ?? '';
  const [isUnsaved, setUnsaved] = useState(false);
  if (isUnsaved && !isDirty) setUnsaved(false);
  const check = useQuery(
    trpc.webinars.publishCheck.queryOptions({ webinarId }, { enabled: webinar?.status === 'draft' }),
  );
  const { mutate, isPending, error, data } = useMutation(
    trpc.webinars.publish.mutationOptions({
      onSettled: async () => {
        await changed();
        // A published webinar has no button to publish it.
        setTimeout(focusContentIfLost);
      },
    }),
  );
  const isRefused = error !== null && failureOf(error).code === 'webinar_not_publishable';
  return {
    publish() {
      if (isDirty) setUnsaved(true);
      else mutate({ webinarId });
    },
    isPending,
    /** Not tried because of unsaved changes, which are still there. */
    isUnsaved,
    /** A refusal for another reason than the problems. */
    error: isRefused ? null : error,
    /** Published a moment ago on this page. */
    isNew: webinar?.status === 'published' && data?.data.id === webinar.id,
    problems: webinar?.status === 'draft' ? (check.data?.data ?? []) : [],
  };
}

type PublishState = Pick<ReturnType<typeof usePublish>, 'error' | 'isUnsaved' | 'problems'>;

/** The list of a draft that cannot be published yet. Each entry leads to its field. */
export function PublishChecks({
  webinarId,
  error,
  isUnsaved,
  problems,
}: PublishState & { webinarId: string }) {
  if (isUnsaved)
    return (
      <div className={styles['checks']}>
        <Notice tone="warn">
          <Text size="sm" role="alert">
            Save or discard your changes first.
          </Text>
        </Notice>
      </div>
    );
  if (error) return <FailureNotice error={error} />;
  if (problems.length === 0) return null;
  return (
    <div className={styles['checks']}>
      <Notice tone="info">
        <Text size="sm" fw={550}>
          {problems.length === 1
            ? 'One thing before you can publish'
            : `${problems.length} things before you can publish`}
        </Text>
        <ul className={styles['problems']}>
          {problems.map((problem) => (
            <li key={problem.path + problem.message}>
              {problem.message} <ProblemLink webinarId={webinarId} path={problem.path} />
            </li>
          ))}
        </ul>
      </Notice>
    </div>
  );
}

function ProblemLink({ webinarId, path }: { webinarId: string; path: string }) {
  const { tab, label } = placeOf(path);
  return (
    <WorkspaceLink
      to={`/w/$workspaceId/webinars/$webinarId/${tab}` as const}
      params={{ webinarId }}
      search={{ field: path }}
    >
      {label}
    </WorkspaceLink>
  );
}

/** The tab with the field of a problem. */
function placeOf(path: string) {
  if (path.startsWith('schedule')) return { tab: 'schedule', label: 'Go to Schedule' } as const;
  if (path.startsWith('segments') || path.startsWith('branches'))
    return { tab: 'adaptive', label: 'Go to Adaptive' } as const;
  return { tab: 'details', label: 'Go to Details' } as const;
}
