import { Button } from '@mantine/core';
import { IconPlus, IconWebhook } from '@tabler/icons-react';
import { useState } from 'react';
import { EmptyState } from '../../../components/empty-state.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { ActionsHead, TableCard } from '../../../components/table-card.tsx';
import type { Rule } from '../../../trpc.ts';
import { CreateRuleDialog } from './create-rule-dialog.tsx';
import { DeleteRuleDialog } from './delete-rule-dialog.tsx';
import { RuleRow } from './rule-row.tsx';
import { Section } from '../../../components/section.tsx';
import { useRules } from '../../source/use-sources.ts';
import { useAutomationsSearch } from './use-automations-search.ts';

const columns = ['Enabled', 'Rule', 'When', 'Then', 'Receiver', 'Created', <ActionsHead key="actions" />];

export function RulesSection() {
  const { webinarId, search, show } = useAutomationsSearch();
  const [leaving, setLeaving] = useState<Rule>();
  const { data, error, refetch } = useRules(webinarId);
  const rules = data?.data;
  const create = (
    <Button leftSection={<IconPlus size={15} />} onClick={() => show({ create: true })}>
      Create rule
    </Button>
  );
  return (
    <Section
      title="Webhook rules"
      text="A rule sends one event type to one URL, signed with its own secret."
      action={rules?.length ? create : null}
    >
      {error && !rules ? <FailureNotice error={error} onRetry={() => void refetch()} /> : null}
      {rules?.length === 0 ? (
        <EmptyState icon={IconWebhook} title="No rules yet" action={create}>
          Send each registration to your CRM, chat or spreadsheet as soon as it happens.
        </EmptyState>
      ) : null}
      {rules?.length === 0 || (error && !rules) ? null : (
        <TableCard name="Webhook rules" columns={columns} minWidth={880}>
          {rules?.map((rule) => (
            <RuleRow
              key={rule.id}
              rule={rule}
              onOpen={() => show({ rule: rule.id })}
              onDelete={() => setLeaving(rule)}
            />
          ))}
        </TableCard>
      )}
      <CreateRuleDialog isOpen={search.create === true} onClose={() => show({ create: undefined })} />
      <DeleteRuleDialog rule={leaving} onClose={() => setLeaving(undefined)} />
    </Section>
  );
}
