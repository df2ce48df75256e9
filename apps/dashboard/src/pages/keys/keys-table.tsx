import { Table, Text } from '@mantine/core';
import { RelativeTime } from '../../components/relative-time.tsx';
import { ActionsHead, TableCard } from '../../components/table-card.tsx';
import { formatCount } from '../../format.ts';
import type { ApiKey } from '../../trpc.ts';
import { creatorText } from './creator-text.ts';
import { RevokeButton } from './revoke-button.tsx';
import { SurfaceTags } from '../../components/surface-tags.tsx';

interface KeysTableProps {
  keys: readonly ApiKey[] | undefined;
  isOwner: boolean;
  onRevoke: (keyId: string) => void;
}

const columns = [
  'Label',
  'Key',
  'Access',
  'Surfaces',
  'Last used',
  'Requests',
  'Created',
  'Created by',
  <ActionsHead key="actions" />,
];

export function KeysTable({ keys, isOwner, onRevoke }: KeysTableProps) {
  return (
    <>
      <TableCard name="API keys" columns={columns} minWidth={980}>
        {keys?.map((key) => (
          <Table.Tr key={key.id}>
            <Table.Td fw={550} maw={220}>
              <Text inherit truncate title={key.label}>
                {key.label}
              </Text>
            </Table.Td>
            <Table.Td>
              <code>{key.maskedKey}</code>
            </Table.Td>
            <Table.Td maw={240} title={key.scopes.join(', ')}>
              {key.access}
            </Table.Td>
            <Table.Td>
              <SurfaceTags surfaces={key.surfaces} />
            </Table.Td>
            <Table.Td>
              <RelativeTime at={key.lastUsedAt} />
            </Table.Td>
            <Table.Td>{formatCount(key.requests)}</Table.Td>
            <Table.Td>
              <RelativeTime at={key.createdAt} />
            </Table.Td>
            <Table.Td maw={160}>
              <Text inherit truncate title={creatorText(key.createdBy)}>
                {creatorText(key.createdBy)}
              </Text>
            </Table.Td>
            <Table.Td ta="end">
              <RevokeButton label={key.label} isAllowed={isOwner} onClick={() => onRevoke(key.id)} />
            </Table.Td>
          </Table.Tr>
        ))}
      </TableCard>
      {isOwner ? null : (
        <Text size="xs" c="dimmed" mt="xs">
          Only owners of the workspace can revoke keys. Members can create them.
        </Text>
      )}
    </>
  );
}
