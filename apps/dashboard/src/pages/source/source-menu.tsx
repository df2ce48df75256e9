import { ActionIcon, Menu, Text } from '@mantine/core';
import {
  IconDots,
  IconHistory,
  IconKey,
  IconList,
  IconPencil,
  IconRefresh,
  IconSend,
  IconTrash,
} from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import type { SourceSearch } from './search.ts';
import { useSourceTarget } from './source-link.tsx';
import { offReasonOf, type Source } from './source.ts';

interface SourceMenuProps {
  source: Source;
  /** For rules. */
  onDetails?: () => void;
  onDelete?: () => void;
  /** For subscriptions. */
  onDialog?: (dialog: 'edit' | 'rotate' | 'delete') => void;
}

/** Actions of a rule or subscription in a list. */
export function SourceMenu({ source, onDetails, onDelete, onDialog }: SourceMenuProps) {
  const navigate = useNavigate();
  const target = useSourceTarget(source);
  const open = (search: SourceSearch) => void navigate({ ...target, search });
  const offReason = offReasonOf(source);
  const remove = onDelete ?? (onDialog && (() => onDialog('delete')));
  return (
    <Menu position="bottom-end" width={230}>
      <Menu.Target>
        <ActionIcon aria-label={`More about ${source.name}`}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconList size={15} />} onClick={() => open({})}>
          Deliveries
        </Menu.Item>
        <Menu.Item
          leftSection={<IconSend size={15} />}
          disabled={offReason !== undefined}
          onClick={() => open({ dialog: 'test' })}
        >
          Send test
          {offReason === undefined ? null : (
            <Text size="xs" c="dimmed">
              {offReason}
            </Text>
          )}
        </Menu.Item>
        <Menu.Item leftSection={<IconHistory size={15} />} onClick={() => open({ dialog: 'recover' })}>
          Recover
        </Menu.Item>
        {onDetails ? (
          <Menu.Item leftSection={<IconKey size={15} />} onClick={onDetails}>
            Details and secret
          </Menu.Item>
        ) : null}
        {onDialog ? (
          <>
            <Menu.Item leftSection={<IconPencil size={15} />} onClick={() => onDialog('edit')}>
              Edit
            </Menu.Item>
            <Menu.Item leftSection={<IconRefresh size={15} />} onClick={() => onDialog('rotate')}>
              Rotate secret
            </Menu.Item>
          </>
        ) : null}
        {remove ? (
          <>
            <Menu.Divider />
            <Menu.Item color="red" leftSection={<IconTrash size={15} />} onClick={remove}>
              Delete
            </Menu.Item>
          </>
        ) : null}
      </Menu.Dropdown>
    </Menu>
  );
}
