import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { FailureNotice } from '../../components/failure-notice.tsx';
import itemStyles from '../../components/item-list.module.css';
import { Section } from '../../components/section.tsx';
import { SessionTime } from '../../components/session-time.tsx';
import { formatPlural } from '../../format.ts';
import { useTRPC, type Nearby } from '../../trpc.ts';
import { useWorkspace, WorkspaceLink } from '../../workspace.ts';
import { localTimeZone } from '../../zoned-time.ts';
import { countEndpoints, isIdle } from './home-texts.ts';
import styles from './home.module.css';

/** Endpoints and refused events that are asked for: the largest page. */
const askedMax = 100;
/** Drafts with a line of their own. */
const draftsMax = 5;

const endpointTexts = {
  paused: 'paused, and deliveries wait',
  failing: 'failing, and deliveries are tried again',
};

const connectionTexts = {
  failing: 'does not answer',
  attention: 'needs attention',
  disconnected: 'refuses the stored key',
};

/** Everything that a person should look at, each with a link to its page. Hidden when there is nothing. */
export function Attention({ drafts }: { drafts: Nearby['drafts'] }) {
  const trpc = useTRPC();
  const { workspace } = useWorkspace();
  const [nowMs] = useState(() => Date.now());
  const isOwner = workspace.role === 'owner';
  const endpoints = useQuery(trpc.endpoints.list.queryOptions({ limit: askedMax }));
  const deliveries = useQuery(trpc.deliveries.trend.queryOptions());
  const connections = useQuery(trpc.connections.list.queryOptions({}));
  const keys = useQuery(trpc.keys.list.queryOptions());
  const refusals = useQuery(
    trpc.revenueSources.refusedEvents.list.queryOptions({ limit: askedMax }, { enabled: isOwner }),
  );
  const failed = [endpoints, deliveries, connections, keys, refusals].filter((query) => query.isLoadingError);

  const failures = deliveries.data?.data.week.failure ?? 0;
  const refused = refusals.data?.data.length ?? 0;
  const idle = keys.data?.data.filter((key) => isIdle(key, nowMs)).length ?? 0;
  const entries: ReactNode[] = [
    ...(['paused', 'failing'] as const).map((status) => {
      const count = countEndpoints(endpoints.data?.data ?? [], status);
      if (count === 0) return null;
      return (
        <WorkspaceLink key={status} to="/w/$workspaceId/webhooks" search={{ state: 'trouble' }}>
          {endpoints.data?.pagination.hasMore ? 'At least ' : ''}
          {formatPlural(count, 'webhook endpoint is', 'webhook endpoints are')} {endpointTexts[status]}
        </WorkspaceLink>
      );
    }),
    failures > 0 && (
      <WorkspaceLink
        key="failed"
        to="/w/$workspaceId/webhooks"
        search={{ tab: 'deliveries', status: 'failure' }}
      >
        {formatPlural(failures, 'delivery', 'deliveries')} failed for good in the last 7 days
      </WorkspaceLink>
    ),
    refused > 0 && (
      <WorkspaceLink key="refused" to="/w/$workspaceId/settings/revenue">
        {refusals.data?.pagination.hasMore ? 'At least ' : ''}
        {formatPlural(refused, 'revenue event was', 'revenue events were')} refused in the last week
      </WorkspaceLink>
    ),
    ...(connections.data?.data ?? []).map(({ id, name, kind, state }) => {
      if (state !== 'failing' && state !== 'attention' && state !== 'disconnected') return null;
      const to =
        kind === 'mail' ? '/w/$workspaceId/settings/email' : '/w/$workspaceId/settings/marketing-tools';
      return (
        <WorkspaceLink key={id} to={to}>
          {name} {connectionTexts[state]}
        </WorkspaceLink>
      );
    }),
    ...drafts.slice(0, draftsMax).map(({ webinarId, title, startsAt }) => (
      <Text key={webinarId} span inherit>
        The draft{' '}
        <WorkspaceLink to="/w/$workspaceId/webinars/$webinarId/details" params={{ webinarId }}>
          {title}
        </WorkspaceLink>{' '}
        is not published. It has a session on <SessionTime at={startsAt} timeZone={localTimeZone()} />.
      </Text>
    )),
    drafts.length > draftsMax && (
      <WorkspaceLink key="drafts" to="/w/$workspaceId/webinars" search={{ status: 'draft' }}>
        More drafts have a session within 7 days
      </WorkspaceLink>
    ),
    idle > 0 && (
      <WorkspaceLink key="idle" to="/w/$workspaceId/settings/keys">
        {formatPlural(idle, 'API key was', 'API keys were')} not used for 90 days
      </WorkspaceLink>
    ),
  ].filter(Boolean);
  if (entries.length === 0 && failed.length === 0) return null;
  return (
    <div className={styles['block']}>
      <Section title="Needs attention" text="Each entry goes away with its cause.">
        {failed[0] ? (
          <FailureNotice
            error={failed[0].error}
            onRetry={() => void Promise.all(failed.map((query) => query.refetch()))}
          />
        ) : null}
        {entries.length === 0 ? null : (
          <ul className={itemStyles['rows']} aria-label="Needs attention">
            {entries.map((entry, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- each has no state
              <li key={index}>{entry}</li>
            ))}
          </ul>
        )}
      </Section>
    </div>
  );
}
