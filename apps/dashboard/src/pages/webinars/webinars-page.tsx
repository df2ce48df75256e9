import { Button } from '@mantine/core';
import { IconBroadcast, IconPlus, IconSearchOff } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { AmountHead } from '../../components/amount-cells.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { Page } from '../../components/page.tsx';
import { ShowApiCall } from '../../components/show-api-call.tsx';
import { ActionsHead, TableCard } from '../../components/table-card.tsx';
import { formatPlural } from '../../format.ts';
import { usePaged } from '../../paged.ts';
import { createSorting } from '../../sorting.ts';
import { useTRPC, useTRPCClient } from '../../trpc.ts';
import { CreateWebinarDialog } from './create-webinar-dialog.tsx';
import { WebinarFilters } from './webinar-filters.tsx';
import { WebinarRow } from './webinar-row.tsx';

const route = getRouteApi('/w/$workspaceId/webinars');
const firstOrder = { title: 'asc', createdAt: 'desc' } as const;

export function WebinarsPage() {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const { create, sort, order, ...filters } = route.useSearch();
  const navigate = route.useNavigate();
  const query = { ...filters, sort, order };
  const webinars = usePaged({
    queryKey: [...trpc.webinars.list.queryKey(), 'paged', query],
    fetchPage: (page, signal) => client.webinars.list.query({ ...page, ...query }, { signal }),
  });
  const { items, error } = webinars;
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  const isEmpty = items?.length === 0 && !isFiltered;
  const setCreate = (change: true | undefined) =>
    void navigate({ search: (before) => ({ ...before, create: change }) });
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
            <ShowApiCall call={{ operation: 'GET /webinars', params: {}, query }} of="Webinars" />
            {createButton}
          </>
        )
      }
    >
      {isEmpty ? null : <WebinarFilters filters={filters} onChange={filter} />}
      {error && !items ? <FailureNotice error={error} onRetry={() => void webinars.refetch()} /> : null}
      {isEmpty ? (
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
          A webinar has sessions people register for. Everything they do is an event you can send elsewhere.
        </EmptyState>
      ) : null}
      {items?.length === 0 && isFiltered ? <NothingFound onClear={() => filter(nothing)} /> : null}
      {items?.length === 0 || (error && !items) ? null : (
        <TableCard
          name="Webinars"
          columns={[
            column('title', 'Title'),
            'Status',
            'Next session',
            <AmountHead key="registered">Registered</AmountHead>,
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
      )}
      <LoadMore {...webinars} />
      <CreateWebinarDialog isOpen={create === true} onClose={() => setCreate(undefined)} />
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
    Archived and deleted webinars are not listed.
  </EmptyState>
);
