import { Table, Text } from '@mantine/core';
import { CopyAction } from '../../components/copy.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Status } from '../../components/status.tsx';
import { SurfaceTags } from '../../components/surface-tags.tsx';
import { formatMilliseconds } from '../../format.ts';
import type { Activity } from '../../trpc.ts';
import styles from './activity-row.module.css';

const firstFailure = 400;

export function ActivityRow({ row }: { row: Activity }) {
  const isSuccess = row.status < firstFailure;
  return (
    <Table.Tr>
      <Table.Td>
        <SurfaceTags surfaces={[row.surface]} />
      </Table.Td>
      <Table.Td>
        <RelativeTime at={row.at} />
      </Table.Td>
      <Table.Td>
        <Status tone={isSuccess ? 'good' : 'bad'}>
          <span title={isSuccess ? 'Success' : 'Failure'}>{row.status}</span>
        </Status>
      </Table.Td>
      <Table.Td>
        <span className={styles['endpoint']}>
          {row.tool ? <code>{row.tool}</code> : null}
          {row.method ? <code className={styles['method']}>{row.method}</code> : null}
          {row.path ? (
            <code className={styles['path']} title={row.path}>
              {withShortIds(row.path)}
            </code>
          ) : null}
        </span>
      </Table.Td>
      <Table.Td>
        {row.replayed ? (
          <Status tone="info" isHollow>
            <span title="Answered from the idempotency cache; nothing was done again">Replay</span>
          </Status>
        ) : null}
      </Table.Td>
      <Table.Td maw={170}>
        <Text inherit truncate title={row.keyLabel}>
          {row.keyLabel}
        </Text>
      </Table.Td>
      <Table.Td c="dimmed" style={{ whiteSpace: 'nowrap' }}>
        {formatMilliseconds(row.durationMs)}
      </Table.Td>
      <Table.Td>
        <CopyAction text={row.requestId} label="Copy request id" />
      </Table.Td>
    </Table.Tr>
  );
}

/** Ids say little in a list and push the end of the path out of sight; the whole path is on hover. */
const withShortIds = (path: string): string =>
  path.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{21}([0-9a-f]{6})/gi, (_id, end: string) => `…${end}`);
