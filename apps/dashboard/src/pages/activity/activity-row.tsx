import { Table, Text, UnstyledButton } from '@mantine/core';
import styles from '../../components/open-row.module.css';
import { RelativeTime } from '../../components/relative-time.tsx';
import { SurfaceTags } from '../../components/surface-tags.tsx';
import { formatMilliseconds } from '../../format.ts';
import type { Activity } from '../../trpc.ts';
import { CallStatus, ErrorCode, ReplayBadge } from './call-status.tsx';
import { Endpoint } from './endpoint.tsx';

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
    <Table.Tr className={styles['row']}>
      {withSurface ? (
        <Table.Td>
          <SurfaceTags surfaces={[call.surface]} />
        </Table.Td>
      ) : null}
      <Table.Td>
        <RelativeTime at={call.at} />
      </Table.Td>
      <Table.Td>
        <CallStatus call={call} />
        <ErrorCode code={call.errorCode} />
      </Table.Td>
      <Table.Td>
        <UnstyledButton className={styles['open']} onClick={onOpen}>
          <Endpoint call={call} />
        </UnstyledButton>
      </Table.Td>
      <Table.Td>
        <ReplayBadge call={call} />
      </Table.Td>
      <Table.Td maw={170}>
        <Text inherit truncate title={call.keyLabel}>
          {call.keyLabel}
        </Text>
      </Table.Td>
      <Table.Td c="dimmed" style={{ whiteSpace: 'nowrap' }}>
        {formatMilliseconds(call.durationMs)}
      </Table.Td>
    </Table.Tr>
  );
}
