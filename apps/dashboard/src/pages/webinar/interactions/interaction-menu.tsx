import { ActionIcon, Menu } from '@mantine/core';
import { IconChartBar, IconCopy, IconDots, IconTrash } from '@tabler/icons-react';
import type { Interaction } from '../../../trpc.ts';

interface InteractionMenuProps {
  interaction: Interaction;
  onResults: () => void;
  onDuplicate: () => void;
  onDelete: () => void;
}

/** Actions of an interaction in the list. */
export function InteractionMenu({ interaction, onResults, onDuplicate, onDelete }: InteractionMenuProps) {
  return (
    <Menu position="bottom-end" width={180}>
      <Menu.Target>
        <ActionIcon aria-label={`More about ${interaction.internalName}`}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconChartBar size={15} />} onClick={onResults}>
          Results
        </Menu.Item>
        <Menu.Item leftSection={<IconCopy size={15} />} onClick={onDuplicate}>
          Duplicate
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item color="red" leftSection={<IconTrash size={15} />} onClick={onDelete}>
          Delete
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
