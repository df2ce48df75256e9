import { Drawer, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { CopyableId, CopyAction } from '../../components/copy.tsx';
import { Facts } from '../../components/facts.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { SurfaceTags } from '../../components/surface-tags.tsx';
import { formatExact, formatMilliseconds } from '../../format.ts';
import { useTRPC, type Activity } from '../../trpc.ts';
import { creatorText } from '../keys/creator-text.ts';
import { CallStatus, ReplayBadge } from './call-status.tsx';

/** Everything that is stored of one call: no bodies, no query strings, no keys. */
export function CallDrawer({ call, onClose }: { call: Activity | undefined; onClose: () => void }) {
  return (
    <Drawer opened={call !== undefined} onClose={onClose} title="API call">
      {call ? <CallFacts call={call} /> : null}
    </Drawer>
  );
}

function CallFacts({ call }: { call: Activity }) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.activity.keys.queryOptions());
  const key = data?.data.find(({ id }) => id === call.keyId);
  return <Facts facts={factsOf(call, key ? creatorText(key.createdBy) : '…')} />;
}

const factsOf = (call: Activity, keyCreator: string): (readonly [string, ReactNode])[] => [
  call.tool ? ['Tool', <code key="tool">{call.tool}</code>] : ['Endpoint', <Path key="path" call={call} />],
  ['Surface', <SurfaceTags key="surface" surfaces={[call.surface]} />],
  [
    'Status',
    <span key="status">
      <CallStatus call={call} /> <ReplayBadge call={call} />
    </span>,
  ],
  [
    'When',
    <span key="at">
      {formatExact(call.at)} (<RelativeTime at={call.at} />)
    </span>,
  ],
  ['Took', formatMilliseconds(call.durationMs)],
  ['API key', call.keyLabel],
  ['Key created by', keyCreator],
  ['Key id', <CopyableId key="key" id={call.keyId} name="key id" />],
  [
    'Request id',
    <Group key="request" component="span" gap={4} wrap="nowrap">
      <code>{call.requestId}</code>
      <CopyAction text={call.requestId} label="Copy request id" />
    </Group>,
  ],
];

const Path = ({ call: { method, path } }: { call: Activity }) => (
  <Group component="span" gap={4} wrap="nowrap">
    <code>
      {method} {path}
    </code>
    {path ? <CopyAction text={path} label="Copy path" /> : null}
  </Group>
);
