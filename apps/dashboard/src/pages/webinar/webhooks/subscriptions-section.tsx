import { Text } from '@mantine/core';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { Section } from '../../../components/section.tsx';
import { ActionsHead, TableCard } from '../../../components/table-card.tsx';
import { SubscriptionRow } from './subscription-row.tsx';
import { useWebhooks } from '../../source/use-sources.ts';
import { useWebinarId } from '../use-webinar.ts';

const columns = ['State', 'URL', 'Events', 'Receiver', 'Created', <ActionsHead key="actions" />];

/** Subscriptions are made and changed over the API. The dashboard shows their deliveries and can re-fire them. */
export function SubscriptionsSection() {
  const webinarId = useWebinarId();
  const { data, error, refetch } = useWebhooks(webinarId);
  const items = data?.data;
  return (
    <Section title="API subscriptions" text="Created and changed over the REST API only.">
      {error && !items ? <FailureNotice error={error} onRetry={() => void refetch()} /> : null}
      {items?.length === 0 ? (
        <Text size="sm" c="dimmed">
          None. Create one with <code>POST /api/v1/webinars/{webinarId}/webhooks</code>.
        </Text>
      ) : null}
      {items?.length === 0 || (error && !items) ? null : (
        <TableCard name="API subscriptions" columns={columns} minWidth={820}>
          {items?.map((webhook) => (
            <SubscriptionRow key={webhook.id} webhook={webhook} />
          ))}
        </TableCard>
      )}
    </Section>
  );
}
