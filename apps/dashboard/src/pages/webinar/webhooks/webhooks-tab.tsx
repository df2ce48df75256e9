import { Button, Modal, Skeleton } from '@mantine/core';
import { IconPlus, IconWebhook } from '@service/icons';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { EmptyState } from '../../../components/empty-state.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { Section } from '../../../components/section.tsx';
import { ActionsHead, TableCard } from '../../../components/table-card.tsx';
import { useOwnEscape } from '../../../components/use-own-escape.ts';
import { focusContentIfLost } from '../../../focus.ts';
import { useTRPC, type NewestDelivery } from '../../../trpc.ts';
import { DeliveryLog } from '../../delivery/delivery-log.tsx';
import { webhookToSource } from '../../source/source.ts';
import { useWaitingCounts, useWebhooks } from '../../source/use-sources.ts';
import { useWebhooksSearch } from '../use-tab-search.ts';
import { useOpenDelivery } from '../use-webinar.ts';
import { SubscriptionDialogs } from './subscription-dialogs.tsx';
import type { NewSecret } from './subscription-form.tsx';
import { SubscriptionRow } from './subscription-row.tsx';

/** The subscriptions of the webinar, and what its rules and subscriptions have sent. */
export function WebhooksTab() {
  const { webinarId, search, show } = useWebhooksSearch();
  const [delivery] = useOpenDelivery();
  return (
    <>
      <SubscriptionsSection />
      <Section title="Deliveries" text="Of the rules and subscriptions of this webinar, newest first.">
        <DeliveryLog scope={{ webinarId }} search={{ ...search, delivery }} show={show} />
      </Section>
    </>
  );
}

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
function SubscriptionsSection() {
  const { webinarId, search, show } = useWebhooksSearch();
  const { data, error, refetch } = useWebhooks(webinarId);
  const sources = data?.data.map(webhookToSource);
  const newest = useNewest(webinarId);
  const waiting = useWaitingCounts(webinarId);
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
              waiting={waiting.get(source.id)}
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

// The list does not wait for the form.
const CreateSubscription = lazy(async () => ({
  default: (await import('./subscription-dialog-body.tsx')).CreateSubscription,
}));

interface CreateSubscriptionDialogProps {
  webinarId: string;
  isOpen: boolean;
  onClose: () => void;
}

/** Two steps: the form, then the secret. The second step closes only after the person confirms that the secret is stored. */
function CreateSubscriptionDialog({ webinarId, isOpen, onClose }: CreateSubscriptionDialogProps) {
  // The secret is only in this state: not in the URL, not in a cache.
  const [created, setCreated] = useState<NewSecret>();
  const isLocked = created !== undefined;
  const escape = useOwnEscape(isOpen && !isLocked, onClose);
  return (
    <Modal
      opened={isOpen || isLocked}
      onClose={onClose}
      size={620}
      title={isLocked ? 'Store the signing secret' : 'Create subscription'}
      closeOnClickOutside={false}
      withCloseButton={!isLocked}
      // The button of the empty list is gone when there is a subscription.
      onExitTransitionEnd={focusContentIfLost}
      {...escape}
    >
      <Suspense fallback={<Skeleton height={420} aria-busy />}>
        {isOpen || isLocked ? (
          <CreateSubscription
            webinarId={webinarId}
            created={created}
            onCreated={(secret) => {
              setCreated(secret);
              // Removes the dialog from the URL, or a reload would open the form again.
              onClose();
            }}
            onStored={() => setCreated(undefined)}
            onClose={onClose}
          />
        ) : null}
      </Suspense>
    </Modal>
  );
}
