import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Status } from '../../components/status.tsx';
import { useTRPC } from '../../trpc.ts';
import { useWorkspace } from '../../workspace.ts';
import { CallStatus } from '../activity/call-status.tsx';
import { Endpoint } from '../activity/endpoint.tsx';
import styles from './ai-tools.module.css';

interface FirstCallProps {
  keyId: string;
  /** With a link to Activity. A dialog that must not be left has none. */
  isLinked?: boolean;
}

/** Waits for the first call of a key over MCP. The stream announces the call. */
export function FirstCall({ keyId, isLinked = false }: FirstCallProps) {
  const trpc = useTRPC();
  const { workspace } = useWorkspace();
  const { data, error, refetch } = useQuery(
    trpc.activity.list.queryOptions({ surface: 'mcp', keyId, range: 'last_7_days', limit: 1 }),
  );
  if (error && !data) return <FailureNotice error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={48} mt={16} />;
  const call = data.data[0];
  return (
    <div
      className={styles['light']}
      data-connected={call !== undefined || undefined}
      data-testid="first-call"
    >
      <span aria-live="polite">
        <Status tone={call ? 'good' : 'warn'} isHollow={!call} isMoving={!call}>
          {call ? 'Connected' : 'Waiting for the first call'}
        </Status>
      </span>
      {call ? (
        <p>
          Last call with “{call.keyLabel}”: <Endpoint call={call} /> <CallStatus call={call} />{' '}
          <RelativeTime at={call.at} />
        </p>
      ) : (
        <p>Start the client, or ask it something. Calls with a wrong key do not appear.</p>
      )}
      {call && isLinked ? (
        <Link
          to="/w/$workspaceId/settings/activity"
          params={{ workspaceId: workspace.id }}
          search={{ surface: 'mcp', key: keyId }}
        >
          Open in Activity
        </Link>
      ) : null}
    </div>
  );
}
