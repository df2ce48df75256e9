import { Button, Drawer, Group, SegmentedControl } from '@mantine/core';
import { IconCalendar, IconPlus } from '@service/icons';
import { lazy, Suspense, useState } from 'react';
import { EmptyState } from '../../../components/empty-state.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { LateModal } from '../../../components/late-modal.tsx';
import { LoadMore } from '../../../components/load-more.tsx';
import { ExportLink } from '../../../components/export-link.tsx';
import { ShowApiCall } from '../../../components/show-api-call.tsx';
import { ActionsHead, TableCard } from '../../../components/table-card.tsx';
import { useOwnEscape } from '../../../components/use-own-escape.ts';
import { createSorting } from '../../../sorting.ts';
import type { Session } from '../../../trpc.ts';
import { Skeletons } from '../skeletons.tsx';
import { useSessionsSearch } from '../use-tab-search.ts';
import { useIsArchived, useWebinar } from '../use-webinar.ts';
import { SessionRow, type SessionActions } from './session-row.tsx';
import { sessionParts } from './session-texts.ts';
import { useSessionCounts, useSessions } from './use-sessions.ts';

// The list does not wait for the details and controls of one session, and each dialog is loaded when it opens.
const SessionDetails = lazy(async () => ({
  default: (await import('./session-details.tsx')).SessionDetails,
}));
const CreateSession = lazy(async () => ({ default: (await import('./session-dialogs.tsx')).CreateSession }));
const MoveSession = lazy(async () => ({ default: (await import('./session-dialogs.tsx')).MoveSession }));
const CancelSession = lazy(async () => ({ default: (await import('./cancel-session.tsx')).CancelSession }));

const actionsHead = <ActionsHead key="actions" />;

/** The nearest start to now first. */
const nearestFirst = { upcoming: 'asc', live: 'asc', past: 'desc' } as const;

const lists = [
  { value: 'upcoming', label: 'Upcoming' },
  { value: 'live', label: 'Live' },
  { value: 'past', label: 'Past and cancelled' },
] as const;

/** The filter of the REST API that is nearest to each list. */
const statusOf = { upcoming: 'scheduled', live: 'live', past: 'ended' };

type When = (typeof lists)[number]['value'];

export function SessionsTab() {
  const { webinarId, search, show } = useSessionsSearch();
  const webinar = useWebinar().data?.data;
  const [leaving, setLeaving] = useState<Session>();
  const closeCreate = () => show({ create: undefined });
  const closeMove = () => show({ move: undefined });
  const createEscape = useOwnEscape(search.create === true, closeCreate);
  const moveEscape = useOwnEscape(search.move !== undefined, closeMove);
  const closeCancel = () => setLeaving(undefined);
  const isCovered = search.move !== undefined || leaving !== undefined;
  const when: When = search.when ?? 'upcoming';
  const isArchived = useIsArchived();
  const actions: SessionActions = {
    onOpen: (session) => show({ session }),
    onMove: ({ id }) => show({ move: id }),
    onCancel: setLeaving,
  };
  const change = (value: string) =>
    show({ when: value === 'upcoming' ? undefined : (value as 'live' | 'past'), order: undefined });
  return (
    <>
      <Group justify="space-between" mb="sm">
        <SegmentedControl size="xs" aria-label="Sessions" data={[...lists]} value={when} onChange={change} />
        <Group gap="xs" display={isArchived ? 'none' : undefined}>
          <ShowApiCall
            call={{
              operation: 'GET /webinars/{webinarId}/sessions',
              params: { webinarId },
              query: {
                status: statusOf[when],
                sort: 'startsAt',
                order: search.order ?? nearestFirst[when],
              },
            }}
            of="Sessions"
          />
          <ExportLink list="sessions" input={{ webinarId }} of="All sessions" />
          <Button
            variant="default"
            leftSection={<IconPlus size={15} />}
            disabled={!webinar}
            onClick={() => show({ create: true })}
          >
            Create API-controlled session
          </Button>
        </Group>
      </Group>
      <SessionList key={when} when={when} actions={actions} />
      <Drawer
        opened={search.session !== undefined}
        onClose={() => show({ session: undefined })}
        // A dialog above it takes Escape.
        closeOnEscape={!isCovered}
        trapFocus={!isCovered}
        title="Session"
      >
        <Suspense fallback={<Skeletons parts={sessionParts} />}>
          {search.session ? (
            <SessionDetails key={search.session} sessionId={search.session} {...actions} />
          ) : null}
        </Suspense>
      </Drawer>
      {webinar ? (
        <>
          <LateModal
            opened={search.create === true}
            onClose={closeCreate}
            title="Create API-controlled session"
            height={180}
            {...createEscape}
          >
            {search.create ? <CreateSession webinar={webinar} onClose={closeCreate} /> : null}
          </LateModal>
          <LateModal
            opened={search.move !== undefined}
            onClose={closeMove}
            title="Move session"
            height={180}
            {...moveEscape}
          >
            {search.move ? (
              <MoveSession webinar={webinar} sessionId={search.move} onClose={closeMove} />
            ) : null}
          </LateModal>
          <LateModal
            opened={leaving !== undefined}
            onClose={closeCancel}
            title={leaving?.status === 'cancelled' ? 'Move people' : 'Cancel session'}
            height={180}
          >
            {leaving ? <CancelSession webinar={webinar} session={leaving} onClose={closeCancel} /> : null}
          </LateModal>
        </>
      ) : null}
    </>
  );
}

function SessionList({ when, actions }: { when: When; actions: SessionActions }) {
  const { webinarId, search, show } = useSessionsSearch();
  const webinar = useWebinar().data?.data;
  const sessions = useSessions({ webinarId, when, order: search.order });
  const column = createSorting({
    search: { order: search.order },
    first: { startsAt: nearestFirst[when] },
    usual: 'startsAt',
    show: ({ order }) => show({ order }),
  });
  const { items, error } = sessions;
  const isUpcoming = when === 'upcoming';
  const counts = useSessionCounts(webinarId, isUpcoming ? [] : (items ?? []));
  if (error && !items) return <FailureNotice error={error} onRetry={() => void sessions.refetch()} />;
  if (items?.length === 0) {
    const isDraft = webinar?.status === 'draft';
    return (
      <EmptyState icon={IconCalendar} title={emptyTexts[when].title}>
        {isUpcoming && isDraft
          ? 'Publishing makes the sessions of the schedule, sixty days ahead.'
          : emptyTexts[when].text}
      </EmptyState>
    );
  }
  return (
    <>
      <TableCard
        name="Sessions"
        columns={[
          column('startsAt', 'Starts'),
          'Status',
          'Registered',
          ...(isUpcoming ? [] : ['Attended']),
          'Kind',
          actionsHead,
        ]}
        minWidth={640}
        rows={items}
        renderRow={(session) => (
          <SessionRow
            key={session.id}
            session={session}
            webinar={webinar}
            counts={counts.get(session.id)}
            isUpcoming={isUpcoming}
            {...actions}
          />
        )}
        onVisibleRows={sessions.onVisibleRows}
      />
      <LoadMore {...sessions} />
    </>
  );
}

const emptyTexts: Record<When, { title: string; text: string }> = {
  upcoming: {
    title: 'No upcoming sessions',
    text: 'Sessions come from the schedule. Just-in-time and on-demand sessions begin with a registration.',
  },
  live: { title: 'No session is live', text: 'A session is here from its start to its end.' },
  past: {
    title: 'No past sessions',
    text: 'Sessions that have ended, and cancelled ones with registrations, are listed here.',
  },
};
