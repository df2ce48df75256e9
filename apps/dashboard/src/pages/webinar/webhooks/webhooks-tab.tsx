import { Section } from '../../../components/section.tsx';
import { DeliveryLog } from '../../delivery/delivery-log.tsx';
import { useOpenDelivery } from '../use-webinar.ts';
import { SubscriptionsSection } from './subscriptions-section.tsx';
import { useWebhooksSearch } from './use-webhooks-search.ts';

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
