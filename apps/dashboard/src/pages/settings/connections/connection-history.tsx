import { Table } from '@mantine/core';
import { ListResult, LoadMore } from '../../../components/load-more.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { Section } from '../../../components/section.tsx';
import { TableCard } from '../../../components/table-card.tsx';
import { usePaged } from '../../../paged.ts';
import { useTRPC, useTRPCClient, type Connection, type ConnectionChange } from '../../../trpc.ts';
import { changeText } from './connection-texts.ts';

interface ConnectionHistoryProps {
  filter: { kind: Connection['kind'] } | { connectionId: string };
}

/** Changes of connections by people, the latest first. Nothing is shown without any. */
export function ConnectionHistory({ filter }: ConnectionHistoryProps) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const changes = usePaged<ConnectionChange>({
    queryKey: trpc.connections.changes.queryKey(filter),
    fetchPage: (page, signal) => client.connections.changes.query({ ...filter, ...page }, { signal }),
  });
  const { items, error } = changes;
  if (items?.length === 0) return null;
  const hasNames = 'kind' in filter;
  return (
    <Section title="Changes by people" text="Changes of the state are not listed.">
      <ListResult items={items} error={error} refetch={changes.refetch} empty={null}>
        <TableCard
          name="Changes by people"
          columns={['Change', ...(hasNames ? ['Connection'] : []), 'By', 'When']}
          minWidth={hasNames ? 480 : 320}
        >
          {items?.map((change) => (
            <Table.Tr key={change.id}>
              <Table.Td>{changeText(change.kind)}</Table.Td>
              {hasNames ? <Table.Td style={{ overflowWrap: 'anywhere' }}>{change.name}</Table.Td> : null}
              <Table.Td>{change.byName ?? 'Operator'}</Table.Td>
              <Table.Td>
                <RelativeTime at={change.at} />
              </Table.Td>
            </Table.Tr>
          ))}
        </TableCard>
      </ListResult>
      <LoadMore {...changes} />
    </Section>
  );
}
