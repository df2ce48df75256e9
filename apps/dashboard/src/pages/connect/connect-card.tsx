import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { CenteredCard } from '../../components/centered-card.tsx';
import { Notice } from '../../components/notice.tsx';
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

interface InvalidRequestProps {
  message?: string;
  /** A member allowed or denied it before. */
  isAnswered?: boolean;
}

/** For a request that is incomplete, changed, expired or answered. */
export const InvalidRequest = ({
  message = 'This address is incomplete. Start again in the client that you want to connect.',
  isAnswered = false,
}: InvalidRequestProps) => (
  <ConnectCard title={isAnswered ? 'This request was already answered' : 'This request is not valid'}>
    <Notice tone="warn">{message}</Notice>
    <p>
      {isAnswered ? 'AI tools shows the state of each client.' : 'Nothing was allowed.'}{' '}
      <Anchor href="/">Go to your workspace</Anchor>
    </p>
  </ConnectCard>
);
