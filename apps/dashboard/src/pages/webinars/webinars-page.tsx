import { Button, Table } from '@mantine/core';
import { IconBroadcast, IconPlus, IconSearchOff } from '@service/icons';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { lazy } from 'react';
import { EmptyState } from '../../components/empty-state.tsx';
import { ExportLink } from '../../components/export-link.tsx';
import { LateModal } from '../../components/late-modal.tsx';
import { ListResult, LoadMore } from '../../components/load-more.tsx';
import openRow from '../../components/open-row.module.css';
import { OpenRow } from '../../components/open-row.tsx';
import { Page } from '../../components/page.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { SessionTime } from '../../components/session-time.tsx';
import { ShowApiCall } from '../../components/show-api-call.tsx';
import { WebinarStatus } from '../../components/status.tsx';
import { ActionsHead, AmountHead, TableCard } from '../../components/table-card.tsx';
import { useOwnEscape } from '../../components/use-own-escape.ts';
import { formatCount, formatDuration, formatPlural } from '../../format.ts';
import { usePaged } from '../../paged.ts';
import { createSorting } from '../../sorting.ts';
import { useTRPC, useTRPCClient, type Webinar } from '../../trpc.ts';
import { useWorkspace } from '../../workspace.ts';
import { WebinarMenu } from '../webinar/actions/webinar-menu.tsx';
import { WebinarFilters } from './webinar-filters.tsx';
import styles from './webinar-row.module.css';

// The list does not wait for the form.
const CreateWebinarForm = lazy(async () => ({
  default: (await import('./create-webinar-form.tsx')).CreateWebinarForm,
}));

const route = getRouteApi('/w/$workspaceId/webinars');
const firstOrder = { title: 'asc', createdAt: 'desc' } as const;

export function WebinarsPage() {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const { create, sort, order, ...filters } = route.useSearch();
  const navigate = route.useNavigate();
  const { status, ...others } = { ...filters, sort, order };
  const isArchive = status === 'archived';
  const query = isArchive ? others : { ...others, status };
  const webinars = usePaged({
    queryKey: [...trpc.webinars[isArchive ? 'listArchived' : 'list'].queryKey(), 'paged', query],
    fetchPage: (page, signal) =>
      isArchive
        ? client.webinars.listArchived.query({ ...page, ...others }, { signal })
        : client.webinars.list.query({ ...page, ...others, status }, { signal }),
  });
  const { items, error } = webinars;
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  const hasNone = items?.length === 0 && !isFiltered;
  const archived = useQuery(trpc.webinars.listArchived.queryOptions({ limit: 1 }, { enabled: hasNone }));
  const isEmpty = hasNone && archived.data?.data.length !== 1;
  const setCreate = (change: true | undefined) =>
    void navigate({ search: (before) => ({ ...before, create: change }) });
  const stopCreating = () => setCreate(undefined);
  const escape = useOwnEscape(create === true, stopCreating);
  const filter = (change: Partial<typeof filters>) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true });
  const column = createSorting({
    search: { sort, order },
    first: firstOrder,
    usual: 'createdAt',
    show: (change) => void navigate({ search: (before) => ({ ...before, ...change }) }),
  });
  const createButton = (
    <Button leftSection={<IconPlus size={15} />} onClick={() => setCreate(true)}>
      Create webinar
    </Button>
  );
  return (
    <Page
      title="Webinars"
      actions={
        isEmpty ? null : (
          <>
            {isArchive ? null : (
              <>
                <ShowApiCall call={{ operation: 'GET /webinars', params: {}, query }} of="Webinars" />
                <ExportLink list="webinars" input={query} of="Webinars" />
              </>
            )}
            {createButton}
          </>
        )
      }
    >
      {isEmpty ? null : <WebinarFilters filters={filters} onChange={filter} />}
      <ListResult
        items={items}
        error={error}
        refetch={webinars.refetch}
        empty={
          isFiltered ? (
            <NothingFound onClear={() => filter(nothing)} />
          ) : (
            <EmptyState
              icon={IconBroadcast}
              title="Plan your first webinar"
              steps={[
                'Create it with a title and a time. It starts as a draft.',
                'Add a webhook, so that each registration reaches your CRM.',
                'Publish it and register attendees, here or over the API.',
              ]}
              action={createButton}
            >
              A webinar has sessions people register for. Everything they do is an event you can send
              elsewhere.
            </EmptyState>
          )
        }
      >
        <TableCard
          name="Webinars"
          columns={[
            column('title', 'Title'),
            'Status',
            'Next session',
            <AmountHead key="registered">Registered for it</AmountHead>,
            'Length',
            column('createdAt', 'Created'),
            <ActionsHead key="actions" />,
          ]}
          minWidth={880}
          rows={items}
          renderRow={(webinar) => <WebinarRow key={webinar.id} webinar={webinar} />}
          onVisibleRows={webinars.onVisibleRows}
          total={items && !webinars.hasNextPage ? formatPlural(items.length, 'webinar') : undefined}
        />
      </ListResult>
      <LoadMore {...webinars} />
      <LateModal
        opened={create === true}
        onClose={stopCreating}
        title="Create webinar"
        height={360}
        {...escape}
      >
        <CreateWebinarForm onClose={stopCreating} />
      </LateModal>
    </Page>
  );
}

const nothing = { q: undefined, status: undefined, kind: undefined };

const NothingFound = ({ onClear }: { onClear: () => void }) => (
  <EmptyState
    icon={IconSearchOff}
    title="No webinar matches"
    action={
      <Button variant="default" onClick={onClear}>
        Clear the filters
      </Button>
    }
  >
    Archived webinars are listed only with the status Archived.
  </EmptyState>
);

function WebinarRow({ webinar }: { webinar: Webinar }) {
  const { workspace } = useWorkspace();
  const navigate = useNavigate();
  const { nextSession } = webinar;
  const target = {
    to: '/w/$workspaceId/webinars/$webinarId',
    params: { workspaceId: workspace.id, webinarId: webinar.id },
  } as const;
  return (
    <OpenRow>
      <Table.Td maw={{ base: 220, sm: 340 }}>
        <Link {...target} className={`${openRow['open']} ${styles['title']}`} title={webinar.title}>
          {webinar.title}
        </Link>
      </Table.Td>
      <Table.Td>
        <WebinarStatus status={webinar.status} />
      </Table.Td>
      <Table.Td c={nextSession ? undefined : 'dimmed'} style={{ whiteSpace: 'nowrap' }}>
        {nextSession ? (
          <SessionTime at={nextSession.startsAt} timeZone={webinar.timezone} />
        ) : (
          noSession(webinar)
        )}
      </Table.Td>
      <Table.Td ta="right">{nextSession ? formatCount(nextSession.registrationCount) : null}</Table.Td>
      <Table.Td style={{ whiteSpace: 'nowrap' }}>{formatDuration(webinar.durationSeconds)}</Table.Td>
      <Table.Td>
        <RelativeTime at={webinar.createdAt} />
      </Table.Td>
      <Table.Td className={styles['menu']}>
        <WebinarMenu webinar={webinar} onOpen={() => void navigate(target)} />
      </Table.Td>
    </OpenRow>
  );
}

/** Publishing creates the sessions, so a draft has none. */
const noSession = ({ status, schedule }: Webinar): string => {
  if (status === 'archived') return 'None';
  if (status === 'draft') return 'After publishing';
  if (schedule.justInTime) return 'Just-in-time';
  return schedule.onDemand ? 'On demand' : 'None planned';
};
