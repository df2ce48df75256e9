import { ActionIcon, Menu, type ActionIconProps } from '@mantine/core';
import { IconDots } from '@service/icons';
import type { ReactNode } from 'react';

interface MoreMenuProps extends Pick<ActionIconProps, 'loading' | 'size' | 'variant'> {
  /** The name of the button: "More about Launch". */
  label: string;
  /** In pixels. As wide as its longest entry if absent. */
  width?: number;
  children: ReactNode;
}

/** A button with three dots, and the menu that it opens. */
export const MoreMenu = ({ label, width, children, ...button }: MoreMenuProps) => (
  <Menu position="bottom-end" {...(width !== undefined && { width })}>
    <Menu.Target>
      <ActionIcon aria-label={label} {...button}>
        <IconDots size={16} />
      </ActionIcon>
    </Menu.Target>
    <Menu.Dropdown>{children}</Menu.Dropdown>
  </Menu>
);
