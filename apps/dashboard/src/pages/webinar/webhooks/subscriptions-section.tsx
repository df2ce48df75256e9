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
import { useWebhooksSearch } from './use-webhooks-search.ts';

const columns = ['Active', 'Subscription', 'Events', 'Endpoint', 'Created', <ActionsHead key="actions" />];

/** The subscriptions of the webinar, and the dialogs that make and change them. */
export function SubscriptionsSection() {
  const { webinarId, search, show } = useWebhooksSearch();
  const { data, error, refetch } = useWebhooks(webinarId);
  const sources = data?.data.map(webhookToSource);
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
        <TableCard name="Subscriptions" columns={columns} minWidth={760}>
          {sources?.map((source) => (
            <SubscriptionRow
              key={source.id}
              source={source}
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
