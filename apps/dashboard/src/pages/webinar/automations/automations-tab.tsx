import { SegmentedControl } from '@mantine/core';
import { ExecutionsView } from './executions-view.tsx';
import { RuleDrawer } from './rule-drawer.tsx';
import { RuleEditorDrawer } from './rule-editor-drawer.tsx';
import { RulesSection } from './rules-section.tsx';
import { useAutomationsSearch } from './use-automations-search.ts';

const views = [
  { value: 'rules', label: 'Rules' },
  { value: 'executions', label: 'Executions' },
];

export function AutomationsTab() {
  const { webinarId, search, show } = useAutomationsSearch();
  const isEditing = search.create === true || search.edit === true;
  return (
    <>
      <SegmentedControl
        aria-label="List"
        size="xs"
        mb="md"
        data={views}
        value={search.view ?? 'rules'}
        onChange={(view) => show({ view: view === 'executions' ? view : undefined, execution: undefined })}
      />
      {search.view === 'executions' ? <ExecutionsView /> : <RulesSection />}
      <RuleDrawer
        webinarId={webinarId}
        ruleId={isEditing ? undefined : search.rule}
        attendeeId={search.attendee}
        onAttendee={(attendee) => show({ attendee })}
        onClose={() => show({ rule: undefined, attendee: undefined })}
      />
      <RuleEditorDrawer />
    </>
  );
}
