import { Skeleton, Table } from '@mantine/core';

const widths = ['62%', '80%', '45%', '70%', '54%'];

/** Grey rows in the place of rows that are loading. */
export function SkeletonRows({ columns }: { columns: number }) {
  return widths.map((_width, row) => (
    // oxlint-disable-next-line react/no-array-index-key -- placeholders have no identity
    <Table.Tr key={row} aria-hidden>
      {Array.from({ length: columns }, (_unused, column) => (
        // oxlint-disable-next-line react/no-array-index-key -- placeholders have no identity
        <Table.Td key={column}>
          <Skeleton height={10} width={widths[(row + column) % widths.length]} />
        </Table.Td>
      ))}
    </Table.Tr>
  ));
}
