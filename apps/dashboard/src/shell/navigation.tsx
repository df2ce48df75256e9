import { IconSearch } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import { useWorkspace } from '../workspace.ts';
import styles from './navigation.module.css';
import { openPalette } from '../palette/open-palette.ts';
import { docs, placeGroups } from '../places.ts';
import { UserMenu } from './user-menu.tsx';
import { WorkspaceSwitcher } from './workspace-switcher.tsx';

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
  const { workspace } = useWorkspace();
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
            <Link
              to={to}
              params={{ workspaceId: workspace.id }}
              className={styles['link']}
              onClick={onNavigate}
            >
              <Icon size={16} stroke={1.7} aria-hidden />
              {label}
            </Link>
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
