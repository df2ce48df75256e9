import type { ReactNode } from 'react';
import { CenteredCard } from '../../components/centered-card.tsx';
import styles from './auth-card.module.css';

interface AuthCardProps {
  title: string;
  lead: string;
  children: ReactNode;
  foot: ReactNode;
}

export const AuthCard = ({ title, lead, children, foot }: AuthCardProps) => (
  <CenteredCard title={title} lead={lead}>
    <div className={styles['fields']}>{children}</div>
    <p className={styles['foot']}>{foot}</p>
  </CenteredCard>
);
