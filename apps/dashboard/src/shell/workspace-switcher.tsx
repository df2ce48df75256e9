import { Menu, VisuallyHidden } from '@mantine/core';
import { IconCheck, IconSelector } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useWorkspace } from '../workspace.ts';
import styles from './navigation.module.css';

/** The name of the workspace, with a menu when the user has several. */
export function WorkspaceSwitcher() {
  const { workspace, workspaces } = useWorkspace();
  const navigate = useNavigate();
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
