import { Button } from '@mantine/core';
import { IconPlus, IconWebhook } from '@tabler/icons-react';
import { EmptyState } from '../../../components/empty-state.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { Section } from '../../../components/section.tsx';
import { ActionsHead, TableCard } from '../../../components/table-card.tsx';
import { useWebhooks } from '../../source/use-sources.ts';
import { webhookToSource } from '../../source/source.ts';
import { CreateSubscriptionDialog } from './create-subscription-dialog.tsx';
import { SubscriptionDialogs } from './subscription-dialogs.tsx';
import { SubscriptionRow } from './subscription-row.tsx';
import { useTRPC, type NewestDelivery } from '../../../trpc.ts';
import { useQuery } from '@tanstack/react-query';
import { useWebhooksSearch } from './use-webhooks-search.ts';

const columns = [
  'Active',
  'Subscription',
  'Health',
  'Events',
  'Last delivery',
  'Created',
  <ActionsHead key="actions" />,
];

/** The subscriptions of the webinar, and the dialogs that make and change them. */
export function SubscriptionsSection() {
  const { webinarId, search, show } = useWebhooksSearch();
  const { data, error, refetch } = useWebhooks(webinarId);
  const sources = data?.data.map(webhookToSource);
  const newest = useNewest(webinarId);
  const close = () => show({ dialog: undefined, subscription: undefined });
  const { dialog, subscription } = search;
  const create = (
    <Button leftSection={<IconPlus size={15} />} onClick={() => show({ dialog: 'create' })}>
      Create subscription
    </Button>
  );
  return (
    <Section
      title="Subscriptions"
      text="A subscription sends every event of its types to one endpoint, without conditions. For conditions, create a rule under Automations."
      action={sources?.length ? create : null}
      apiCall={{ operation: 'GET /webinars/{webinarId}/webhooks', params: { webinarId } }}
    >
      {error && !sources ? <FailureNotice error={error} onRetry={() => void refetch()} /> : null}
      {sources?.length === 0 ? (
        <EmptyState
          icon={IconWebhook}
          title="No subscriptions yet"
          steps={[
            'Enter the URL of your endpoint and choose event types.',
            'Store the signing secret: it is shown once.',
            'Send a test and look at the answer.',
          ]}
          action={create}
        >
          Send registrations, attendance and clicks of this webinar to your own system.
        </EmptyState>
      ) : null}
      {sources?.length === 0 || (error && !sources) ? null : (
        <TableCard name="Subscriptions" columns={columns} minWidth={880}>
          {sources?.map((source) => (
            <SubscriptionRow
              key={source.id}
              source={source}
              newest={newest}
              onOpen={(next) => show({ dialog: next, subscription: source.id })}
            />
          ))}
        </TableCard>
      )}
      <CreateSubscriptionDialog webinarId={webinarId} isOpen={dialog === 'create'} onClose={close} />
      <SubscriptionDialogs
        source={sources?.find(({ id }) => id === subscription)}
        dialog={dialog === 'create' ? undefined : dialog}
        onClose={close}
        onDeleted={close}
      />
    </Section>
  );
}

/** The newest delivery of each subscription and rule of the webinar, by its id. */
function useNewest(webinarId: string): ReadonlyMap<string, NewestDelivery> | undefined {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.deliveries.newest.queryOptions({ webinarId }));
  return data && new Map(data.data.map((delivery) => [delivery.sourceId, delivery]));
}
