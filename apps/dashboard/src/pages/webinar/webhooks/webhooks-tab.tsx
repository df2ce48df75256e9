import { SubscriptionsSection } from './subscriptions-section.tsx';

export function WebhooksTab() {
  return <SubscriptionsSection />;
}
