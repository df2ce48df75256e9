import {
  Menu,
  SegmentedControl,
  Text,
  useMantineColorScheme,
  VisuallyHidden,
  type MantineColorScheme,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconDots, IconLock, IconLogout } from '@tabler/icons-react';
import { useWorkspace } from '../workspace.ts';
import { ChangePasswordDialog } from './change-password-dialog.tsx';
import styles from './navigation.module.css';
import { useSignOut } from '../use-sign-out.ts';

const schemes: { value: MantineColorScheme; label: string }[] = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'auto', label: 'System' },
];

export function UserMenu() {
  const { user } = useWorkspace();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const leave = useSignOut();
  const [isChanging, dialog] = useDisclosure(false);
  return (
    <>
      <ChangePasswordDialog isOpen={isChanging} onClose={dialog.close} />
      <Menu width={220} position="top-start">
        <Menu.Target>
          <button type="button" className={styles['workspace']}>
            <VisuallyHidden>Account of</VisuallyHidden>
            <span className={`${styles['initial']} ${styles['person']}`} aria-hidden>
              {user.name.slice(0, 1).toUpperCase()}
            </span>
            <span className={styles['name']}>{user.name}</span>
            <IconDots size={15} aria-hidden />
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          <Text size="xs" c="dimmed" px={10} py={6} truncate>
            {user.email}
          </Text>
          <SegmentedControl
            aria-label="Appearance"
            fullWidth
            size="xs"
            mx={4}
            mb={4}
            style={{ width: 'calc(100% - 8px)' }}
            data={schemes}
            value={colorScheme}
            onChange={(scheme) => setColorScheme(scheme)}
          />
          <Menu.Divider />
          <Menu.Item leftSection={<IconLock size={15} />} onClick={dialog.open}>
            Change password
          </Menu.Item>
          <Menu.Item leftSection={<IconLogout size={15} />} onClick={() => void leave()}>
            Sign out
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  );
}
