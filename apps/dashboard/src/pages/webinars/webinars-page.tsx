import { Button } from '@mantine/core';
import { IconBroadcast, IconPlus } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { EmptyState } from '../../components/empty-state.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { Page } from '../../components/page.tsx';
import { TableCard } from '../../components/table-card.tsx';
import { usePaged } from '../../paged.ts';
import { useTRPC, useTRPCClient } from '../../trpc.ts';
import { CreateWebinarDialog } from './create-webinar-dialog.tsx';
import { WebinarRow } from './webinar-row.tsx';

const route = getRouteApi('/w/$workspaceId/webinars');
const columns = ['Title', 'Status', 'Next session', 'Starts', 'Length', 'Created'];

export function WebinarsPage() {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const webinars = usePaged({
    queryKey: [...trpc.webinars.list.queryKey(), 'paged'],
    fetchPage: (page, signal) => client.webinars.list.query(page, { signal }),
  });
  const { items, error } = webinars;
  const setCreate = (create: true | undefined) => void navigate({ search: { create } });
  const createButton = (
    <Button leftSection={<IconPlus size={15} />} onClick={() => setCreate(true)}>
      Create webinar
    </Button>
  );
  return (
    <Page title="Webinars" actions={items?.length === 0 ? null : createButton}>
      {error && !items ? <FailureNotice error={error} onRetry={() => void webinars.refetch()} /> : null}
      {items?.length === 0 ? (
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
      {items?.length === 0 || (error && !items) ? null : (
        <TableCard name="Webinars" columns={columns} minWidth={820}>
          {items?.map((webinar) => (
            <WebinarRow key={webinar.id} webinar={webinar} />
          ))}
        </TableCard>
      )}
      <LoadMore {...webinars} />
      <CreateWebinarDialog isOpen={search.create === true} onClose={() => setCreate(undefined)} />
    </Page>
  );
}
