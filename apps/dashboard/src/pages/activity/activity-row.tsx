import { Anchor, Table, Text, VisuallyHidden } from '@mantine/core';
import styles from '../../components/open-row.module.css';
import { OpenButton, OpenRow } from '../../components/open-row.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Status, SurfaceTags } from '../../components/status.tsx';
import { CutText } from '../../components/table-card.tsx';
import { docsOfErrorCode } from '../../docs-links.ts';
import { formatMilliseconds, formatSecond } from '../../format.ts';
import type { Activity } from '../../trpc.ts';
import endpointStyles from './endpoint.module.css';

export const mcpColumns = ['When', 'Status', 'Tool', 'Replay', 'Key or client', 'Took'];

export const activityColumns = ['Surface', ...mcpColumns.with(2, 'Endpoint / Tool')];

interface ActivityRowProps {
  call: Activity;
  /** False in a list of one surface. */
  withSurface: boolean;
  onOpen: () => void;
}

export function ActivityRow({ call, withSurface, onOpen }: ActivityRowProps) {
  return (
    <OpenRow>
      {withSurface ? (
        <Table.Td>
          <SurfaceTags surfaces={[call.surface]} />
        </Table.Td>
      ) : null}
      <Table.Td>
        <RelativeTime at={call.at} />
        <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
          {formatSecond(call.at)}
        </Text>
      </Table.Td>
      <Table.Td>
        <CallStatus call={call} />
        <ErrorCode code={call.errorCode} />
      </Table.Td>
      <Table.Td>
        <OpenButton onClick={onOpen}>
          <Endpoint call={call} />
        </OpenButton>
      </Table.Td>
      <Table.Td>
        <ReplayBadge call={call} />
      </Table.Td>
      <Table.Td maw={170}>
        <CutText text={call.keyLabel} />
      </Table.Td>
      <Table.Td c="dimmed" style={{ whiteSpace: 'nowrap' }}>
        {formatMilliseconds(call.durationMs)}
      </Table.Td>
    </OpenRow>
  );
}

/** The called method and path. Over MCP: the tool, or the method of the protocol, such as `tools/list`. */
export function Endpoint({ call: { tool, method, path } }: { call: Activity }) {
  const name = tool ?? (path === null ? method : null);
  if (name !== null) return <code className={endpointStyles['path']}>{name}</code>;
  return (
    <span className={endpointStyles['endpoint']}>
      <code className={endpointStyles['method']} data-method={method}>
        {method}
      </code>
      <code className={endpointStyles['path']} title={path ?? undefined}>
        {withShortIds(path ?? '')}
      </code>
    </span>
  );
}

/** Shortens ids, so that the end of the path stays visible. The whole path is shown on hover. */
const withShortIds = (path: string): string =>
  path.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{21}([0-9a-f]{6})/gi, (_id, end: string) => `…${end}`);

const firstFailure = 400;

/** The status code, marked as success or failure. */
export function CallStatus({ call: { status } }: { call: Activity }) {
  const isSuccess = status < firstFailure;
  const word = isSuccess ? 'Success' : 'Failure';
  return (
    <Status tone={isSuccess ? 'good' : 'bad'}>
      <span title={word}>
        {status} <VisuallyHidden>{word}</VisuallyHidden>
      </span>
    </Status>
  );
}

/** The error code as a link to its explanation in the API reference. */
export function ErrorCode({ code }: { code: string | null }) {
  if (code === null) return null;
  return (
    <Anchor
      className={styles['above']}
      size="xs"
      ml={6}
      href={docsOfErrorCode(code)}
      target="_blank"
      underline="always"
    >
      <code>{code}</code>
    </Anchor>
  );
}

export function ReplayBadge({ call }: { call: Activity }) {
  if (!call.replayed) return null;
  return (
    <Status tone="info" isHollow>
      <span title="The stored answer of an earlier request with the same idempotency key">Replay</span>
    </Status>
  );
}
