import { Skeleton, Table, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './table-card.module.css';

interface TableCardProps {
  /** Name of the table, for screen readers. */
  name: string;
  columns: readonly ReactNode[];
  minWidth: number;
  /** Fixed widths, for columns that must not move when their content changes. */
  widths?: readonly (number | undefined)[];
  /** Undefined while the rows are loading. */
  children: ReactNode | undefined;
}

/** A framed table that scrolls sideways when it is too wide. */
export function TableCard({ name, columns, minWidth, widths, children }: TableCardProps) {
  return (
    <div className={styles['card']}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must take the keyboard */}
      <div className={styles['scroll']} role="region" aria-label={name} tabIndex={0}>
        <Table
          highlightOnHover
          highlightOnHoverColor="var(--surface-hover)"
          miw={minWidth}
          aria-busy={!children}
        >
          <Table.Thead>
            <Table.Tr>
              {columns.map((column, index) => (
                // oxlint-disable-next-line react/no-array-index-key -- columns never move
                <Table.Th key={index} scope="col" w={widths?.[index]}>
                  {column}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>{children ?? <SkeletonRows columns={columns.length} />}</Table.Tbody>
        </Table>
      </div>
    </div>
  );
}

/** The head of a column of buttons. */
export const ActionsHead = () => <VisuallyHidden>Actions</VisuallyHidden>;

const widths = ['62%', '80%', '45%', '70%', '54%'];

function SkeletonRows({ columns }: { columns: number }) {
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
