import {
  Menu,
  SegmentedControl,
  Text,
  useMantineColorScheme,
  VisuallyHidden,
  type MantineColorScheme,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import {
  IconCheck,
  IconDots,
  IconLock,
  IconLogout,
  IconSearch,
  IconSelector,
  IconUser,
} from '@service/icons';
import { lazy, useId } from 'react';
import { LateModal } from '../components/late-modal.tsx';
import { openPalette } from '../palette/open-palette.ts';
import { docs, placeGroups } from '../places.ts';
import { useSignOut } from '../use-sign-out.ts';
import { useWorkspace, useWorkspaceNavigate, WorkspaceLink } from '../workspace.ts';
import styles from './navigation.module.css';

// The menu of every page opens this dialog, and few people do.
const ChangePasswordForm = lazy(async () => ({
  default: (await import('./change-password-form.tsx')).ChangePasswordForm,
}));

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

export function Navigation({ onNavigate }: { onNavigate?: () => void }) {
  return (
    <nav className={styles['navigation']} aria-label="Workspace">
      <WorkspaceSwitcher />
      <button type="button" className={styles['search']} onClick={openPalette}>
        <IconSearch size={15} aria-hidden />
        Search
        <kbd aria-hidden>{isApple ? '⌘K' : 'Ctrl K'}</kbd>
      </button>
      {placeGroups.map((group) => (
        <PlaceGroup key={group.heading ?? ''} group={group} onNavigate={onNavigate} />
      ))}
      <div className={styles['foot']}>
        <UserMenu />
      </div>
    </nav>
  );
}

interface PlaceGroupProps {
  group: (typeof placeGroups)[number];
  onNavigate: (() => void) | undefined;
}

function PlaceGroup({ group: { heading, places }, onNavigate }: PlaceGroupProps) {
  const headingId = useId();
  return (
    <>
      {heading === undefined ? null : (
        <h2 id={headingId} className={styles['heading']}>
          {heading}
        </h2>
      )}
      <ul className={styles['places']} aria-labelledby={heading === undefined ? undefined : headingId}>
        {places.map(({ to, label, icon: Icon }) => (
          <li key={label}>
            <WorkspaceLink to={to} className={styles['link']} onClick={onNavigate}>
              <Icon size={16} stroke={1.7} aria-hidden />
              {label}
            </WorkspaceLink>
          </li>
        ))}
        {heading === 'Developers' ? (
          <li>
            <a className={styles['link']} href={docs.href}>
              <docs.icon size={16} stroke={1.7} aria-hidden />
              {docs.label}
            </a>
          </li>
        ) : null}
      </ul>
    </>
  );
}

/** The name of the workspace, with a menu when the user has several. */
function WorkspaceSwitcher() {
  const { workspace, workspaces } = useWorkspace();
  const navigate = useWorkspaceNavigate();
  const label = (
    <>
      <span className={styles['initial']} aria-hidden>
        {workspace.name.slice(0, 1).toUpperCase()}
      </span>
      <span className={styles['name']}>{workspace.name}</span>
    </>
  );
  if (workspaces.length < 2) {
    return (
      <div className={styles['workspace']} style={{ cursor: 'default' }}>
        {label}
      </div>
    );
  }
  return (
    <Menu width={208} position="bottom-start">
      <Menu.Target>
        <button type="button" className={styles['workspace']}>
          <VisuallyHidden>Workspace</VisuallyHidden>
          {label}
          <VisuallyHidden>Switch</VisuallyHidden>
          <IconSelector size={15} aria-hidden />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Workspaces</Menu.Label>
        {workspaces.map((entry) => (
          <Menu.Item
            key={entry.id}
            rightSection={entry.id === workspace.id ? <IconCheck size={14} aria-label="Current" /> : null}
            onClick={() =>
              void navigate({ to: '/w/$workspaceId/webinars', params: { workspaceId: entry.id } })
            }
          >
            {entry.name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

const schemes: { value: MantineColorScheme; label: string }[] = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'auto', label: 'System' },
];

function UserMenu() {
  const { user } = useWorkspace();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const navigate = useWorkspaceNavigate();
  const leave = useSignOut();
  const [isChanging, dialog] = useDisclosure(false);
  return (
    <>
      <LateModal opened={isChanging} onClose={dialog.close} title="Change password" height={210}>
        <ChangePasswordForm onClose={dialog.close} />
      </LateModal>
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
          <Menu.Item
            leftSection={<IconUser size={15} />}
            onClick={() => void navigate({ to: '/w/$workspaceId/settings/account' })}
          >
            Your account
          </Menu.Item>
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
