import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './connect.module.css';

interface ConnectCardProps {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
}

/** A page without navigation: it is only for one decision. */
export const ConnectCard = ({ title, lead, children }: ConnectCardProps) => (
  <main className={styles['screen']}>
    <title>{`${title} · Webinars`}</title>
    <div className={styles['card']}>
      <img className={styles['mark']} src="/favicon.svg" width={36} height={36} alt="" />
      <Title order={1}>{title}</Title>
      {lead ? <p className={styles['lead']}>{lead}</p> : null}
      <div className={styles['content']}>{children}</div>
    </div>
  </main>
);
