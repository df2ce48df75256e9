import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useWorkspace } from '../workspace.ts';
import styles from './page.module.css';

interface PageProps {
  /** The heading. Together with the workspace it is also the title of the browser tab. */
  title: string;
  above?: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

export function Page({ title, above, description, actions, children }: PageProps) {
  const { workspace } = useWorkspace();
  return (
    <div className={styles['page']}>
      <title>{`${title} · ${workspace.name}`}</title>
      {above}
      <header className={styles['head']}>
        <div className={styles['words']}>
          <Title order={1}>{title}</Title>
          {description ? <div className={styles['description']}>{description}</div> : null}
        </div>
        {actions ? <div className={styles['actions']}>{actions}</div> : null}
      </header>
      {children}
    </div>
  );
}
