import { ActionIcon, Menu, type ActionIconProps, type MenuItemProps } from '@mantine/core';
import type { Icon } from '@service/icons';

interface Action {
  icon: Icon;
  label: string;
  onClick: () => void;
}

/** An entry of a menu. */
export const MenuAction = ({ icon: ActionSymbol, label, ...item }: Action & MenuItemProps) => (
  <Menu.Item {...item} leftSection={<ActionSymbol size={15} />}>
    {label}
  </Menu.Item>
);

/** A button without a text. */
export const IconAction = ({
  icon: ActionSymbol,
  label,
  iconSize = 15,
  ...button
}: Action & ActionIconProps & { iconSize?: number }) => (
  <ActionIcon {...button} aria-label={label}>
    <ActionSymbol size={iconSize} />
  </ActionIcon>
);
