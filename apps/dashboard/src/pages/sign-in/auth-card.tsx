import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './auth-card.module.css';

interface AuthCardProps {
  title: string;
  lead: string;
  children: ReactNode;
  foot: ReactNode;
}

export function AuthCard({ title, lead, children, foot }: AuthCardProps) {
  return (
    <main className={styles['screen']}>
      <title>{`${title} · Webinars`}</title>
      <div className={styles['card']}>
        <img className={styles['mark']} src="/favicon.svg" width={36} height={36} alt="" />
        <Title order={1}>{title}</Title>
        <p className={styles['lead']}>{lead}</p>
        {children}
        <p className={styles['foot']}>{foot}</p>
      </div>
    </main>
  );
}
