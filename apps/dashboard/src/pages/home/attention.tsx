import { useQuery } from '@tanstack/react-query';
import { Link, linkOptions } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Section } from '../../components/section.tsx';
import { SessionTime } from '../../components/session-time.tsx';
import { formatCount, formatPlural } from '../../format.ts';
import { useTRPC, type Nearby } from '../../trpc.ts';
import { useWorkspace } from '../../workspace.ts';
import { localTimeZone } from '../../zoned-time.ts';
import { isIdle } from './home-texts.ts';
import styles from './home.module.css';
import { failuresOf, useTimes } from './use-times.ts';

/** Endpoints that are asked for their state. The page of webhooks lists all. */
const endpointsMax = 100;

interface Entry {
  key: string;
  text: ReactNode;
  link: ReactNode;
}

/** Everything that a person should look at, each with a link to its page. Hidden when there is nothing. */
export function Attention({ drafts }: { drafts: Nearby['drafts'] }) {
  const trpc = useTRPC();
  const { workspace } = useWorkspace();
  const times = useTimes();
  const isOwner = workspace.role === 'owner';
  const endpoints = useQuery(trpc.endpoints.list.queryOptions({ limit: endpointsMax }));
  const deliveries = useQuery(trpc.deliveries.histogram.queryOptions(times.week));
  const connections = useQuery(trpc.connections.list.queryOptions({}));
  const keys = useQuery(trpc.keys.list.queryOptions());
  const refused = useQuery(
    trpc.revenueSources.refusedEvents.list.queryOptions({ limit: refusedMax }, { enabled: isOwner }),
  );
  const error = [endpoints, deliveries, connections, keys, refused].find((query) => query.error)?.error;
  const params = { workspaceId: workspace.id };
  const webhooks = linkOptions({ to: '/w/$workspaceId/webhooks', params });
  const entries: Entry[] = [];

  const paused = endpoints.data?.data.filter(({ health }) => health.status === 'paused').length ?? 0;
  if (paused > 0)
    entries.push({
      key: 'paused',
      text: `${formatPlural(paused, 'webhook endpoint')} ${paused === 1 ? 'is' : 'are'} paused. Deliveries wait.`,
      link: (
        <Link {...webhooks} search={{ state: 'trouble' }}>
          Paused endpoints
        </Link>
      ),
    });
  const failed = failuresOf(deliveries.data?.data);
  if (failed > 0)
    entries.push({
      key: 'failed',
      text: `${formatPlural(failed, 'delivery', 'deliveries')} failed for good in the last 7 days.`,
      link: (
        <Link {...webhooks} search={{ tab: 'deliveries', status: 'failure' }}>
          Failed deliveries
        </Link>
      ),
    });
  const refusedCount = refused.data?.data.length ?? 0;
  if (refusedCount > 0)
    entries.push({
      key: 'refused',
      text: `${formatCount(refusedCount)}${refused.data?.pagination.hasMore ? ' or more' : ''} revenue events were refused in the last week.`,
      link: (
        <Link to="/w/$workspaceId/settings/revenue" params={params}>
          Refused events
        </Link>
      ),
    });
  for (const { id, name, kind, state } of connections.data?.data ?? []) {
    if (state !== 'failing' && state !== 'attention' && state !== 'disconnected') continue;
    entries.push({
      key: id,
      text: `${name} ${connectionTexts[state]}.`,
      link:
        kind === 'mail' ? (
          <Link to="/w/$workspaceId/settings/email" params={params}>
            E-mail settings
          </Link>
        ) : (
          <Link
            to="/w/$workspaceId/settings/marketing-tools/$connectionId"
            params={{ ...params, connectionId: id }}
          >
            {name}
          </Link>
        ),
    });
  }
  for (const { webinarId, title, startsAt } of drafts)
    entries.push({
      key: webinarId,
      text: (
        <>
          The draft {title} has a session on <SessionTime at={startsAt} timeZone={localTimeZone()} /> and is
          not published.
        </>
      ),
      link: (
        <Link to="/w/$workspaceId/webinars/$webinarId/details" params={{ ...params, webinarId }}>
          Open the draft
        </Link>
      ),
    });
  const idle = keys.data?.data.filter((key) => isIdle(key, times.nowMs)) ?? [];
  if (idle.length > 0)
    entries.push({
      key: 'keys',
      text:
        idle.length === 1 ? (
          <>
            The API key {idle[0]!.label} was last used{' '}
            <RelativeTime at={idle[0]!.lastUsedAt} never="never, and is older than 90 days" />.
          </>
        ) : (
          `${formatCount(idle.length)} API keys were not used for 90 days.`
        ),
      link: (
        <Link to="/w/$workspaceId/settings/keys" params={params}>
          API keys
        </Link>
      ),
    });

  if (error) return <FailureNotice error={error} />;
  if (entries.length === 0) return null;
  return (
    <div className={styles['block']}>
      <Section title="Needs attention" text="Each entry goes away when its cause does.">
        <ul className={styles['rows']} aria-label="Needs attention">
          {entries.map(({ key, text, link }) => (
            <li key={key} className={styles['row']}>
              <span>{text}</span>
              {link}
            </li>
          ))}
        </ul>
      </Section>
    </div>
  );
}

/** The largest page. */
const refusedMax = 100;

const connectionTexts = {
  failing: 'does not answer',
  attention: 'needs attention',
  disconnected: 'refuses the stored key',
};
