import { ActionIcon, Menu, Text } from '@mantine/core';
import {
  IconCopy,
  IconDots,
  IconHistory,
  IconInfoCircle,
  IconList,
  IconPencil,
  IconSend,
  IconTimeline,
  IconTrash,
} from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import type { Rule } from '../../../trpc.ts';
import type { SourceSearch } from '../../source/search.ts';
import { useSourceTarget } from '../../source/source-link.tsx';
import { offReasonOf, ruleToSource } from '../../source/source.ts';
import { useAutomationsSearch } from './use-automations-search.ts';

interface RuleMenuProps {
  rule: Rule;
  onOpen: () => void;
  onDelete: () => void;
}

/** Actions of a rule in the list. */
export function RuleMenu({ rule, onOpen, onDelete }: RuleMenuProps) {
  const navigate = useNavigate();
  const { show } = useAutomationsSearch();
  const source = ruleToSource(rule);
  const target = useSourceTarget(source);
  const openSource = (search: SourceSearch) => void navigate({ ...target, search });
  const offReason = offReasonOf(source);
  return (
    <Menu position="bottom-end" width={230}>
      <Menu.Target>
        <ActionIcon aria-label={`More about ${rule.name}`}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconInfoCircle size={15} />} onClick={onOpen}>
          Details and secret
        </Menu.Item>
        <Menu.Item leftSection={<IconPencil size={15} />} onClick={() => show({ rule: rule.id, edit: true })}>
          Change
        </Menu.Item>
        <Menu.Item leftSection={<IconCopy size={15} />} onClick={() => show({ create: true, copy: rule.id })}>
          Duplicate
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconList size={15} />} onClick={() => openSource({})}>
          Deliveries
        </Menu.Item>
        <Menu.Item
          leftSection={<IconTimeline size={15} />}
          onClick={() => show({ view: 'executions', of: rule.id })}
        >
          Executions
        </Menu.Item>
        <Menu.Item
          leftSection={<IconSend size={15} />}
          disabled={offReason !== undefined}
          onClick={() => openSource({ dialog: 'test' })}
        >
          Send test
          {offReason === undefined ? null : (
            <Text size="xs" c="dimmed">
              {offReason}
            </Text>
          )}
        </Menu.Item>
        <Menu.Item leftSection={<IconHistory size={15} />} onClick={() => openSource({ dialog: 'recover' })}>
          Recover
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item color="red" leftSection={<IconTrash size={15} />} onClick={onDelete}>
          Delete
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
