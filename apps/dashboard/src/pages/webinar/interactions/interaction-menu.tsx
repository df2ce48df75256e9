import { Menu } from '@mantine/core';
import { IconChartBar, IconCopy, IconTrash } from '@tabler/icons-react';
import { MoreMenu } from '../../../components/more-menu.tsx';
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
    <MoreMenu label={`More about ${interaction.internalName}`} width={180}>
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
    </MoreMenu>
  );
}
