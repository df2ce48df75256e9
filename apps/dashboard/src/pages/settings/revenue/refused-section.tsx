import { Drawer, Skeleton, Table, Text, UnstyledButton } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { LoadMore } from '../../../components/load-more.tsx';
import rowStyles from '../../../components/open-row.module.css';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { Section } from '../../../components/section.tsx';
import { TableCard } from '../../../components/table-card.tsx';
import { usePaged } from '../../../paged.ts';
import { useTRPC, useTRPCClient, type RefusedEvent } from '../../../trpc.ts';
import { refusalText, sourceTexts } from './source-texts.ts';

// Loaded when an event is opened.
const RefusedBody = lazy(async () => ({ default: (await import('./refused-body.tsx')).RefusedBody }));

const route = getRouteApi('/w/$workspaceId/settings/revenue');

/** Events with a valid signature that could not be stored. For owners, because bodies may contain personal data. */
export function RefusedSection() {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const { refused } = route.useSearch();
  const navigate = route.useNavigate();
  const open = (id: string | undefined) => void navigate({ search: { refused: id } });
  const events = usePaged<RefusedEvent>({
    queryKey: trpc.revenueSources.refusedEvents.list.queryKey(),
    fetchPage: (page, signal) => client.revenueSources.refusedEvents.list.query(page, { signal }),
  });
  const { items, error } = events;
  return (
    <Section
      title="Refused events"
      text="Events that were signed but not stored: they are not valid, or their id has other content. They are kept for a week, at most 1,000 of them."
    >
      {error && !items ? <FailureNotice error={error} onRetry={() => void events.refetch()} /> : null}
      {items?.length === 0 ? (
        <Text size="sm" c="dimmed">
          No signed event was refused in the last week.
        </Text>
      ) : error && !items ? null : (
        <TableCard name="Refused events" columns={['Source', 'Reason', 'Received']} minWidth={560}>
          {items?.map((event) => (
            <Table.Tr key={event.id} className={rowStyles['row']}>
              <Table.Td>
                <UnstyledButton className={rowStyles['open']} onClick={() => open(event.id)}>
                  {sourceTexts(event.provider).title}
                </UnstyledButton>
              </Table.Td>
              <Table.Td>{refusalText(event.reason)}</Table.Td>
              <Table.Td>
                <RelativeTime at={event.receivedAt} />
              </Table.Td>
            </Table.Tr>
          ))}
        </TableCard>
      )}
      <LoadMore {...events} />
      <Drawer opened={refused !== undefined} onClose={() => open(undefined)} title="Refused event">
        {refused ? (
          <Suspense fallback={<Skeleton height={320} aria-busy />}>
            <RefusedBody key={refused} id={refused} />
          </Suspense>
        ) : null}
      </Drawer>
    </Section>
  );
}
