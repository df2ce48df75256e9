import { DestinationNotice } from './destination-notice.tsx';
import { RuleDrawer } from './rule-drawer.tsx';
import { RulesSection } from './rules-section.tsx';
import { SubscriptionsSection } from './subscriptions-section.tsx';
import { useWebinarSearch } from './use-webinar-search.ts';

export function AutomationsTab() {
  const { webinarId, search, show } = useWebinarSearch();
  return (
    <>
      <DestinationNotice />
      <RulesSection />
      <SubscriptionsSection />
      <RuleDrawer webinarId={webinarId} ruleId={search.rule} onClose={() => show({ rule: undefined })} />
    </>
  );
}
