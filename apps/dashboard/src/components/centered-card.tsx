import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './centered-card.module.css';

interface CenteredCardProps {
  title: string;
  lead?: ReactNode;
  isWide?: boolean;
  children: ReactNode;
}

/** A page without navigation: one card in the middle of the screen. */
export const CenteredCard = ({ title, lead, isWide = false, children }: CenteredCardProps) => (
  <main className={styles['screen']}>
    <title>{`${title} · Webinars`}</title>
    <div className={styles['card']} data-wide={isWide || undefined}>
      <img className={styles['mark']} src="/favicon.svg" width={36} height={36} alt="" />
      <Title order={1}>{title}</Title>
      {lead ? <p className={styles['lead']}>{lead}</p> : null}
      <div className={styles['content']}>{children}</div>
    </div>
  </main>
);
