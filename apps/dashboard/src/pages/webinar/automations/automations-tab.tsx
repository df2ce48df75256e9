import { Drawer, SegmentedControl, Skeleton } from '@mantine/core';
import { skipToken, useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { useOwnEscape } from '../../../components/use-own-escape.ts';
import { useTRPC } from '../../../trpc.ts';
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
  const close = () => show({ create: undefined, copy: undefined, edit: undefined });
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
        <EditorBody key={ruleId} webinarId={webinarId} ruleId={ruleId} isNew={isNew} onClose={close} />
      ) : null}
    </Drawer>
  );
}

interface EditorBodyProps {
  webinarId: string;
  /** The rule that is changed or copied. */
  ruleId: string | undefined;
  isNew: boolean;
  onClose: () => void;
}

function EditorBody({ webinarId, ruleId, isNew, onClose }: EditorBodyProps) {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(
    trpc.automations.rules.get.queryOptions(ruleId === undefined ? skipToken : { webinarId, ruleId }),
  );
  if (ruleId !== undefined && !data) {
    return error ? (
      <FailureNotice error={error} onRetry={() => void refetch()} />
    ) : (
      <Skeleton height={420} aria-busy />
    );
  }
  return (
    <Suspense fallback={<Skeleton height={420} aria-busy />}>
      <RuleEditor webinarId={webinarId} rule={data?.data} isNew={isNew} onCancel={onClose} />
    </Suspense>
  );
}
