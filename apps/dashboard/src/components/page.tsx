import { Title } from '@mantine/core';
import { IconBook2 } from '@service/icons';
import { useMatches } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { docsOfPage, guideOfPage } from '../docs-links.ts';
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
        <div className={styles['actions']}>
          <DocsLinks />
          {actions}
        </div>
      </header>
      {children}
    </div>
  );
}

/** They open beside the page, because a form may be half filled. */
function DocsLinks() {
  const routeId = useMatches({ select: (matches) => matches.at(-1)?.routeId }) ?? '';
  const links = { Guide: guideOfPage(routeId), 'API reference': docsOfPage(routeId) };
  return Object.entries(links).map(
    ([label, href]) =>
      href && (
        <a key={label} className={styles['docs']} href={href} target="_blank" rel="noreferrer">
          <IconBook2 size={15} stroke={1.7} aria-hidden />
          {label}
        </a>
      ),
  );
}
