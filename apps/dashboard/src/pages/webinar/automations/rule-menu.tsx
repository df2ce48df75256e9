import { Menu } from '@mantine/core';
import { IconCopy, IconInfoCircle, IconPencil, IconTimeline } from '@tabler/icons-react';
import type { Rule } from '../../../trpc.ts';
import { SourceMenu } from '../../source/source-link.tsx';
import { ruleToSource } from '../../source/source.ts';
import { useAutomationsSearch } from './use-automations-search.ts';

interface RuleMenuProps {
  rule: Rule;
  onOpen: () => void;
  onDelete: () => void;
}

/** Actions of a rule in the list. */
export function RuleMenu({ rule, onOpen, onDelete }: RuleMenuProps) {
  const { show } = useAutomationsSearch();
  const executions = (
    <Menu.Item
      leftSection={<IconTimeline size={15} />}
      onClick={() => show({ view: 'executions', of: rule.id })}
    >
      Executions
    </Menu.Item>
  );
  return (
    <SourceMenu source={ruleToSource(rule)} history={executions} onDelete={onDelete}>
      <Menu.Item leftSection={<IconInfoCircle size={15} />} onClick={onOpen}>
        Details and secret
      </Menu.Item>
      <Menu.Item leftSection={<IconPencil size={15} />} onClick={() => show({ rule: rule.id, edit: true })}>
        Change
      </Menu.Item>
      <Menu.Item leftSection={<IconCopy size={15} />} onClick={() => show({ create: true, copy: rule.id })}>
        Duplicate
      </Menu.Item>
    </SourceMenu>
  );
}
