import type { ReactNode } from 'react';
import { CenteredCard } from '../../components/centered-card.tsx';
import styles from './connect.module.css';

interface ConnectCardProps {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
}

/** The card of the consent page. */
export const ConnectCard = ({ children, ...head }: ConnectCardProps) => (
  <CenteredCard isWide {...head}>
    <div className={styles['content']}>{children}</div>
  </CenteredCard>
);
