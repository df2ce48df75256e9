import { Table, Text } from '@mantine/core';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { CopyableId } from '../../components/copy.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Status } from '../../components/status.tsx';
import { TableCard } from '../../components/table-card.tsx';
import { usePaged } from '../../paged.ts';
import { useTRPC, useTRPCClient } from '../../trpc.ts';
import { Section } from '../../components/section.tsx';
import { useWebinarSearch } from './use-webinar-search.ts';

const columns = ['State', 'URL', 'Events', 'Secret', 'Created', 'Id'];

/** Read only: whoever made them over the API changes them there. */
export function SubscriptionsSection() {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const { webinarId } = useWebinarSearch();
  const subscriptions = usePaged({
    queryKey: trpc.webhooks.list.queryKey({ webinarId }),
    fetchPage: (page, signal) => client.webhooks.list.query({ webinarId, ...page }, { signal }),
  });
  const { items, error } = subscriptions;
  return (
    <Section
      title="API subscriptions"
      text="Made and changed over the REST API only; shown here so that nothing is sent unseen."
    >
      {error && !items ? <FailureNotice error={error} onRetry={() => void subscriptions.refetch()} /> : null}
      {items?.length === 0 ? (
        <Text size="sm" c="dimmed">
          None. An integration makes one with <code>POST /api/v1/webinars/{webinarId}/webhooks</code>.
        </Text>
      ) : null}
      {items?.length === 0 || (error && !items) ? null : (
        <TableCard name="API subscriptions" columns={columns} minWidth={820}>
          {items?.map((subscription) => (
            <Table.Tr key={subscription.id}>
              <Table.Td>
                <Status tone={subscription.active ? 'good' : 'quiet'} isHollow={!subscription.active}>
                  {subscription.active ? 'Active' : 'Off'}
                </Status>
              </Table.Td>
              <Table.Td maw={300}>
                <Text inherit truncate title={subscription.url}>
                  <code>{subscription.url}</code>
                </Text>
              </Table.Td>
              <Table.Td>{subscription.eventTypes.join(', ')}</Table.Td>
              <Table.Td>
                <code>…{subscription.secretLast4}</code>
              </Table.Td>
              <Table.Td>
                <RelativeTime at={subscription.createdAt} />
              </Table.Td>
              <Table.Td>
                <CopyableId id={subscription.id} name="subscription id" />
              </Table.Td>
            </Table.Tr>
          ))}
        </TableCard>
      )}
      <LoadMore {...subscriptions} />
    </Section>
  );
}
