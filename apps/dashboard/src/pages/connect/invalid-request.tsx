import { Anchor } from '@mantine/core';
import { Notice } from '../../components/notice.tsx';
import { ConnectCard } from './connect-card.tsx';

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
