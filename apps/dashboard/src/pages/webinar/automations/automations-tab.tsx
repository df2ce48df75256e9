import { Drawer, SegmentedControl, Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { useOwnEscape } from '../../../components/use-own-escape.ts';
import { useAutomationsSearch } from '../use-tab-search.ts';
import { ExecutionsView } from './executions-view.tsx';
import { RuleDrawer } from './rule-drawer.tsx';
import { RulesSection } from './rules-section.tsx';
import { ToolsSection } from './tools-section.tsx';

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
      {search.view === 'executions' ? (
        <ExecutionsView />
      ) : (
        <>
          <RulesSection />
          <ToolsSection />
        </>
      )}
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

// The list of rules does not wait for the form.
const RuleEditor = lazy(async () => {
  const { RuleEditor: component } = await import('./rule-editor.tsx');
  return { default: component };
});

/** The form of a new rule, of a copy, or of a rule that is changed. The URL says which. */
function RuleEditorDrawer() {
  const { webinarId, search, show } = useAutomationsSearch();
  const isNew = search.create === true;
  const ruleId = isNew ? search.copy : search.rule;
  const isOpen = isNew || (search.edit === true && ruleId !== undefined);
  // A changed rule returns to its drawer, a new one to the list.
  const close = () => show({ create: undefined, copy: undefined, second: undefined, edit: undefined });
  const escape = useOwnEscape(isOpen, close);
  return (
    <Drawer
      opened={isOpen}
      onClose={close}
      size="xl"
      title={isNew ? 'Create rule' : 'Change rule'}
      {...escape}
    >
      {isOpen ? (
        <Suspense fallback={<Skeleton height={420} aria-busy />}>
          <RuleEditor
            key={`${ruleId} ${isNew}`}
            webinarId={webinarId}
            ruleId={ruleId}
            isNew={isNew}
            isSecond={search.second === true}
            onCancel={close}
          />
        </Suspense>
      ) : null}
    </Drawer>
  );
}
