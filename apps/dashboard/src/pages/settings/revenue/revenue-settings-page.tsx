import { Drawer, Skeleton, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Facts } from '../../../components/facts.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { ListResult, LoadMore } from '../../../components/load-more.tsx';
import { OpenButton, OpenRow } from '../../../components/open-row.tsx';
import { Page } from '../../../components/page.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { Section } from '../../../components/section.tsx';
import { TableCard } from '../../../components/table-card.tsx';
import { usePaged } from '../../../paged.ts';
import { useTRPC, useTRPCClient, type RefusedEvent } from '../../../trpc.ts';
import { useWorkspace } from '../../../workspace.ts';
import { PayloadBlock } from '../../delivery/payload-block.tsx';
import { SourceCard } from './source-card.tsx';
import { refusalText, sourceTexts } from './sources.ts';
import { WindowSection } from './window-section.tsx';

/** Sources of revenue events, the events that were refused, and the attribution window. */
export function RevenueSettingsPage() {
  const { workspace } = useWorkspace();
  const isOwner = workspace.role === 'owner';
  return (
    <Page
      title="Revenue settings"
      description={
        isOwner
          ? 'Where purchases, refunds and chargebacks come from, and for how long a webinar gets the credit.'
          : 'Where purchases, refunds and chargebacks come from, and for how long a webinar gets the credit. Only owners change these settings.'
      }
    >
      <Section
        title="Sources"
        text="Each source has its own address and its own secret. Events without a valid signature are refused."
      >
        <Sources isOwner={isOwner} />
      </Section>
      {isOwner ? <RefusedSection /> : null}
      <WindowSection isOwner={isOwner} />
    </Page>
  );
}

function Sources({ isOwner }: { isOwner: boolean }) {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(trpc.revenueSources.list.queryOptions());
  if (error && !data) return <FailureNotice error={error} onRetry={() => void refetch()} />;
  if (!data) {
    return (
      <Stack aria-busy>
        <Skeleton height={420} />
        <Skeleton height={420} />
      </Stack>
    );
  }
  return data.data.map((source) => <SourceCard key={source.provider} source={source} isOwner={isOwner} />);
}

const route = getRouteApi('/w/$workspaceId/settings/revenue');

/** Events with a valid signature that could not be stored. For owners, because bodies may contain personal data. */
function RefusedSection() {
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
      <ListResult
        items={items}
        error={error}
        refetch={events.refetch}
        empty={
          <Text size="sm" c="dimmed">
            No signed event was refused in the last week.
          </Text>
        }
      >
        <TableCard name="Refused events" columns={['Source', 'Reason', 'Received']} minWidth={560}>
          {items?.map((event) => (
            <OpenRow key={event.id}>
              <Table.Td>
                <OpenButton onClick={() => open(event.id)}>{sourceTexts(event.provider).title}</OpenButton>
              </Table.Td>
              <Table.Td>{refusalText(event.reason)}</Table.Td>
              <Table.Td>
                <RelativeTime at={event.receivedAt} />
              </Table.Td>
            </OpenRow>
          ))}
        </TableCard>
      </ListResult>
      <LoadMore {...events} />
      <Drawer opened={refused !== undefined} onClose={() => open(undefined)} title="Refused event">
        {refused ? <RefusedBody key={refused} id={refused} /> : null}
      </Drawer>
    </Section>
  );
}

/** One refused event with its problems and its body. */
function RefusedBody({ id }: { id: string }) {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(
    // The body may contain personal data, so it is not kept after the drawer was closed.
    trpc.revenueSources.refusedEvents.get.queryOptions({ id }, { gcTime: 0 }),
  );
  if (error && !data) return <FailureNotice error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={320} aria-busy />;
  const { provider, reason, issues, receivedAt, body } = data.data;
  return (
    <Stack gap="lg">
      <Facts
        facts={[
          ['Source', sourceTexts(provider).title],
          ['Reason', refusalText(reason)],
          ['Received', <RelativeTime key="received" at={receivedAt} />],
          ...issues.map(({ path, message }) => [path || 'Body', message] as const),
        ]}
      />
      <PayloadBlock body={body} />
    </Stack>
  );
}
