import { Anchor } from '@mantine/core';
import { Notice } from '../../components/notice.tsx';
import { ConnectCard } from './connect-card.tsx';

/** For a request that is incomplete, changed, expired or used. */
export const InvalidRequest = ({
  message = 'This address is incomplete. Start again in the client that you want to connect.',
}: {
  message?: string;
}) => (
  <ConnectCard title="This request is not valid">
    <Notice tone="warn">{message}</Notice>
    <p>
      Nothing was allowed. <Anchor href="/">Go to your workspace</Anchor>
    </p>
  </ConnectCard>
);
