import { Drawer, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CopyableId, CopyAction } from '../../components/copy.tsx';
import { Facts, type Fact } from '../../components/facts.tsx';
import { ExactTime } from '../../components/relative-time.tsx';
import { SurfaceTags } from '../../components/status.tsx';
import { formatMilliseconds } from '../../format.ts';
import { useTRPC, type Activity, type ActivityCaller } from '../../trpc.ts';
import { creatorText } from '../keys/creator-text.ts';
import { CallStatus, ErrorCode, ReplayBadge } from './activity-row.tsx';
import styles from './call-drawer.module.css';

/** Everything that is stored of one call: no bodies, no query strings, no API keys. */
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
  return <Facts facts={[...factsOf(call), ...callerOf(call, key)]} />;
}

/** The key or the AI client of a call. Undefined until it is loaded. */
function callerOf(call: Activity, caller: ActivityCaller | undefined): Fact[] {
  const creator = caller ? creatorText(caller.createdBy) : '…';
  const id = (name: string) => <CopyableId key="caller" id={call.keyId} name={name} />;
  return caller?.kind === 'grant'
    ? [
        ['AI client', call.keyLabel],
        ['Connected by', creator],
        ['Grant id', id('grant id')],
      ]
    : [
        ['API key', call.keyLabel],
        ['Key created by', creator],
        ['Key id', id('key id')],
      ];
}

const factsOf = (call: Activity): Fact[] => [
  targetOf(call),
  ['Surface', <SurfaceTags key="surface" surfaces={[call.surface]} />],
  [
    'Status',
    <span key="status">
      <CallStatus call={call} /> <ReplayBadge call={call} />
    </span>,
  ],
  ['Error code', call.errorCode && <ErrorCode key="code" code={call.errorCode} />],
  ['Refused fields', call.refusedFields.length === 0 ? null : <RefusedFields key="fields" call={call} />],
  ['When', <ExactTime key="at" at={call.at} />],
  ['Took', formatMilliseconds(call.durationMs)],
  ['User agent', call.userAgent ?? 'Not given'],
  ['Address', call.address ?? 'Not kept'],
  [
    'Idempotency key',
    call.idempotencyKey === null ? (
      'Not given'
    ) : (
      <CopyableText key="idempotency" text={call.idempotencyKey} />
    ),
  ],
  ['Request id', <CopyableText key="request" text={call.requestId} name="request id" />],
];

function targetOf(call: Activity): Fact {
  if (call.tool) return ['Tool', <code key="tool">{call.tool}</code>];
  if (call.path === null) return ['Method', <code key="method">{call.method}</code>];
  return ['Endpoint', <Path key="path" call={call} />];
}

const CopyableText = ({ text, name = 'idempotency key' }: { text: string; name?: string }) => (
  <Group component="span" gap={4} wrap="nowrap">
    <code className={styles['long']}>{text}</code>
    <CopyAction text={text} label={`Copy ${name}`} />
  </Group>
);

const RefusedFields = ({ call: { refusedFields, refusedMessages } }: { call: Activity }) => (
  <ul className={styles['fields']}>
    {refusedFields.map((field, index) => (
      // oxlint-disable-next-line react/no-array-index-key -- one field may be refused for several reasons
      <li key={index}>
        <code>{field}</code> {refusedMessages[index]}
      </li>
    ))}
  </ul>
);

const Path = ({ call: { method, path } }: { call: Activity }) => (
  <Group component="span" gap={4} wrap="nowrap">
    <code>
      {method} {path}
    </code>
    {path ? <CopyAction text={path} label="Copy path" /> : null}
  </Group>
);
