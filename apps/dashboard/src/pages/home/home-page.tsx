import { Button, Text } from '@mantine/core';
import { IconPlus } from '@service/icons';
import { useIsFetching, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, useState } from 'react';
import { FailureNotice } from '../../components/failure-notice.tsx';
import itemStyles from '../../components/item-list.module.css';
import { LateModal } from '../../components/late-modal.tsx';
import { Page } from '../../components/page.tsx';
import { Section } from '../../components/section.tsx';
import { SessionTime } from '../../components/session-time.tsx';
import { useOwnEscape } from '../../components/use-own-escape.ts';
import { useTRPC, type Nearby } from '../../trpc.ts';
import { WorkspaceLink } from '../../workspace.ts';
import { Skeletons } from '../webinar/skeletons.tsx';
import { peopleText } from '../webinar/people-text.ts';
import { Attention } from './attention.tsx';
import { Checklist } from './checklist.tsx';
import styles from './home.module.css';
import { Numbers } from './numbers.tsx';

// The page does not wait for the form.
const CreateWebinarForm = lazy(async () => ({
  default: (await import('../webinars/create-webinar-form.tsx')).CreateWebinarForm,
}));

const route = getRouteApi('/w/$workspaceId/home');

/** The first page of a workspace. */
export function HomePage() {
  const trpc = useTRPC();
  const isCreating = route.useSearch().create === true;
  const navigate = route.useNavigate();
  const stopCreating = () => void navigate({ search: {} });
  const escape = useOwnEscape(isCreating, stopCreating);
  const { data, error, refetch } = useQuery(trpc.sessions.nearby.queryOptions());
  const nearby = data?.data;
  const firstReads = useIsFetching({ predicate: ({ state }) => state.status === 'pending' });
  const [isReady, setReady] = useState(false);
  if (!isReady && (data || error) && firstReads === 0) setReady(true);
  return (
    <Page
      title="Home"
      actions={
        <Button
          leftSection={<IconPlus size={15} />}
          onClick={() => void navigate({ search: { create: true } })}
        >
          Create webinar
        </Button>
      }
    >
      {isReady ? null : <Skeletons parts={[[180], [120], [96]]} />}
      {/* Mounted while it is hidden, because its parts ask for their data. Nothing moves when it is shown. */}
      <div hidden={!isReady}>
        <Checklist />
        <Attention drafts={nearby?.drafts ?? []} />
        {error && !nearby ? <FailureNotice error={error} onRetry={() => void refetch()} /> : null}
        {nearby && nearby.live.length > 0 ? (
          <Section
            title="Live now"
            text="On-demand sessions are not listed, because a registration can begin one at any minute."
          >
            <SessionList sessions={nearby.live} label="Live now" isLive />
          </Section>
        ) : null}
        <Section title="Next sessions" text="In your time zone.">
          {nearby ? <SessionList sessions={nearby.upcoming} label="Next sessions" /> : null}
        </Section>
        <Numbers />
      </div>
      <LateModal opened={isCreating} onClose={stopCreating} title="Create webinar" height={360} {...escape}>
        <CreateWebinarForm onClose={stopCreating} />
      </LateModal>
    </Page>
  );
}

interface SessionListProps {
  sessions: Nearby['upcoming'];
  label: string;
  isLive?: boolean;
}

function SessionList({ sessions, label, isLive = false }: SessionListProps) {
  if (sessions.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        No session is planned. Sessions appear here when a webinar with a schedule is published.
      </Text>
    );
  }
  return (
    <ul className={itemStyles['rows']} aria-label={label}>
      {sessions.map(({ id, webinarId, title, timezone, startsAt, registrationCount }) => (
        <li key={id} className={styles['row']}>
          <WorkspaceLink
            className={styles['title']}
            to="/w/$workspaceId/webinars/$webinarId/sessions"
            params={{ webinarId }}
            search={isLive ? { when: 'live', session: id } : { session: id }}
          >
            {title}
          </WorkspaceLink>
          <SessionTime at={startsAt} timeZone={timezone} />
          <Text span size="sm" c="dimmed">
            {peopleText(registrationCount)} registered
          </Text>
        </li>
      ))}
    </ul>
  );
}
