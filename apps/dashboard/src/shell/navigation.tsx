import { IconActivity, IconBroadcast, IconKey, IconSearch, IconUsers, type Icon } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useWorkspace } from '../workspace.ts';
import styles from './navigation.module.css';
import { openPalette } from './palette.tsx';
import { UserMenu } from './user-menu.tsx';
import { WorkspaceSwitcher } from './workspace-switcher.tsx';

interface Place {
  to: '/w/$workspaceId/webinars' | `/w/$workspaceId/settings/${'keys' | 'activity' | 'members'}`;
  label: string;
  icon: Icon;
}

const places: readonly Place[] = [{ to: '/w/$workspaceId/webinars', label: 'Webinars', icon: IconBroadcast }];

const settings: readonly Place[] = [
  { to: '/w/$workspaceId/settings/keys', label: 'API keys', icon: IconKey },
  { to: '/w/$workspaceId/settings/activity', label: 'Activity', icon: IconActivity },
  { to: '/w/$workspaceId/settings/members', label: 'Members', icon: IconUsers },
];

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

export function Navigation({ onNavigate }: { onNavigate?: () => void }) {
  return (
    <nav className={styles['navigation']} aria-label="Workspace">
      <WorkspaceSwitcher />
      <button type="button" className={styles['search']} onClick={openPalette}>
        <IconSearch size={15} aria-hidden />
        Search
        <kbd>{isApple ? '⌘K' : 'Ctrl K'}</kbd>
      </button>
      <Places places={places} onNavigate={onNavigate} />
      <h2 className={styles['heading']}>Settings</h2>
      <Places places={settings} onNavigate={onNavigate} />
      <div className={styles['foot']}>
        <UserMenu />
      </div>
    </nav>
  );
}

function Places({ places, onNavigate }: { places: readonly Place[]; onNavigate: (() => void) | undefined }) {
  const { workspace } = useWorkspace();
  return places.map(({ to, label, icon: Icon }) => (
    <Link
      key={label}
      to={to}
      params={{ workspaceId: workspace.id }}
      className={styles['link']}
      onClick={onNavigate}
    >
      <Icon size={16} stroke={1.7} aria-hidden />
      {label}
    </Link>
  ));
}
