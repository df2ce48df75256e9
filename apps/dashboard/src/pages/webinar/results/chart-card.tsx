import { Button, Group, Table } from '@mantine/core';
import { IconChartBar, IconDownload, IconTable } from '@service/icons';
import { useState, type ReactNode } from 'react';
import { Section } from '../../../components/section.tsx';
import { TableCard } from '../../../components/table-card.tsx';
import { saveCsv, type Cell } from '../../../csv.ts';

interface ChartCardProps {
  title: string;
  text: ReactNode;
  columns: readonly string[];
  rows: readonly (readonly Cell[])[];
  /** Absent: the table is the only view. */
  children?: ReactNode;
}

/** A chart that can also be read as a table and saved as a CSV file. */
export function ChartCard({ title, text, columns, rows, children }: ChartCardProps) {
  const [wantsTable, setWantsTable] = useState(false);
  const isTable = wantsTable || children === undefined;
  return (
    <Section
      title={title}
      text={text}
      action={
        <Group gap={6}>
          {children === undefined ? null : (
            <Button
              variant="default"
              size="compact-xs"
              aria-label={isTable ? `Show ${title} as a chart` : `Show ${title} as a table`}
              leftSection={isTable ? <IconChartBar size={13} /> : <IconTable size={13} />}
              onClick={() => setWantsTable(!wantsTable)}
            >
              {isTable ? 'Chart' : 'Table'}
            </Button>
          )}
          <Button
            variant="default"
            size="compact-xs"
            aria-label={`Download ${title} as CSV`}
            leftSection={<IconDownload size={13} />}
            onClick={() => saveCsv(title, [columns, ...rows])}
          >
            CSV
          </Button>
        </Group>
      }
    >
      {isTable ? (
        <TableCard name={title} columns={columns} minWidth={100 * columns.length}>
          {rows.map((row, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- rows never move
            <Table.Tr key={index}>
              {row.map((cell, place) => (
                // oxlint-disable-next-line react/no-array-index-key -- a cell is its column
                <Table.Td key={place} style={{ overflowWrap: 'anywhere' }}>
                  {cell ?? '–'}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </TableCard>
      ) : (
        children
      )}
    </Section>
  );
}
