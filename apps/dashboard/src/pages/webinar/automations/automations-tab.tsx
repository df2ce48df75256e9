import { DestinationNotice } from './destination-notice.tsx';
import { RuleDrawer } from './rule-drawer.tsx';
import { RulesSection } from './rules-section.tsx';
import { useAutomationsSearch } from './use-automations-search.ts';

export function AutomationsTab() {
  const { webinarId, search, show } = useAutomationsSearch();
  return (
    <>
      <DestinationNotice />
      <RulesSection />
      <RuleDrawer webinarId={webinarId} ruleId={search.rule} onClose={() => show({ rule: undefined })} />
    </>
  );
}
