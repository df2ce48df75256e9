import { Skeleton, Table, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@service/icons';
import {
  lazy,
  useDeferredValue,
  useLayoutEffect,
  useRef,
  useState,
  type ReactNode,
  type RefObject,
} from 'react';
import { formatMoney } from '../money.ts';
import type { SortableColumn } from '../sorting.ts';
import amountCellsStyles from './amount-cells.module.css';
import styles from './table-card.module.css';

interface TableCardProps<Row extends { id: string }> {
  /** Name of the table, for screen readers. */
  name: string;
  columns: readonly (ReactNode | SortableColumn)[];
  minWidth: number;
  /** Fixed widths, for columns that must not move when their content changes. */
  widths?: readonly (number | undefined)[];
  /** Undefined while the rows are loading. */
  children?: ReactNode | undefined;
  /** Instead of `children`, for lists that grow: from 200 rows on only those near the screen are in the document. */
  rows?: readonly Row[] | undefined;
  renderRow?: (row: Row) => ReactNode;
  /** Of `usePaged`: the pages on the screen are kept fresh. */
  onVisibleRows?: (first: number, last: number) => void;
  /** "1,204 registrations", below the rows. */
  total?: string | undefined;
}

const virtualFrom = 200;

// Loaded with the first long table.
const VirtualRows = lazy(async () => ({ default: (await import('./virtual-rows.tsx')).VirtualRows }));

/** A framed table. Its head stays at the top of the window; a table that is too wide scrolls sideways, with its head. */
export function TableCard<Row extends { id: string }>({
  name,
  columns,
  minWidth,
  widths,
  children,
  rows,
  renderRow,
  onVisibleRows,
  total,
}: TableCardProps<Row>) {
  const [ref, fits] = useFits();
  const isLong = rows !== undefined && rows.length >= virtualFrom;
  // Until the virtual rows are loaded, all rows stay as they are. The fallback of a `Suspense` would render each of them again.
  const isVirtual = useDeferredValue(isLong);
  useFixedColumns(ref, isLong);
  const content = rows && renderRow ? rows.map(renderRow) : children;
  return (
    <div className={styles['card']} ref={ref}>
      <div
        className={styles['scroll']}
        data-fits={fits || undefined}
        role="region"
        aria-label={name}
        // A region that scrolls must take the keyboard.
        tabIndex={fits ? undefined : 0}
      >
        <Table
          highlightOnHover
          highlightOnHoverColor="var(--surface-hover)"
          miw={minWidth}
          aria-busy={!content}
          aria-rowcount={isVirtual && rows ? rows.length + 1 : undefined}
        >
          <Table.Thead className={styles['head']}>
            <Table.Tr>
              {columns.map((column, index) => (
                <Table.Th
                  // oxlint-disable-next-line react/no-array-index-key -- columns never move
                  key={index}
                  scope="col"
                  w={widths?.[index]}
                  aria-sort={isSortable(column) ? sortValues[column.order ?? 'none'] : undefined}
                >
                  {isSortable(column) ? <SortButton column={column} /> : column}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          {isVirtual && rows && renderRow ? (
            <VirtualRows
              rows={rows}
              renderRow={renderRow as (row: { id: string }) => ReactNode}
              onVisibleRows={onVisibleRows}
            />
          ) : (
            <Table.Tbody>{content ?? <SkeletonRows columns={columns.length} />}</Table.Tbody>
          )}
        </Table>
      </div>
      {total === undefined ? null : <div className={styles['total']}>{total}</div>}
    </div>
  );
}

/** Keeps the widths of the columns. Otherwise they would follow the rows that happen to be in the document. */
function useFixedColumns(ref: RefObject<HTMLElement | null>, isFixed: boolean): void {
  useLayoutEffect(() => {
    const table = isFixed ? ref.current?.querySelector('table') : undefined;
    if (!table) return undefined;
    const heads = [...table.querySelectorAll<HTMLElement>('thead th')];
    for (const [index, width] of heads.map(({ offsetWidth }) => offsetWidth).entries())
      heads[index]!.style.width = `${width}px`;
    table.style.tableLayout = 'fixed';
    return () => {
      table.style.removeProperty('table-layout');
    };
  }, [ref, isFixed]);
}

/** The head of a column of buttons. */
export const ActionsHead = () => <VisuallyHidden>Actions</VisuallyHidden>;

const isSortable = (column: ReactNode | SortableColumn): column is SortableColumn =>
  typeof column === 'object' && column !== null && 'onSort' in column;

const sortValues = { asc: 'ascending', desc: 'descending', none: 'none' } as const;
const sortIcons = { asc: IconArrowUp, desc: IconArrowDown, none: IconArrowsSort };

function SortButton({ column: { title, order, onSort } }: { column: SortableColumn }) {
  const Icon = sortIcons[order ?? 'none'];
  return (
    <UnstyledButton
      className={styles['sort']}
      data-sorted={order !== undefined || undefined}
      onClick={onSort}
    >
      {title}
      <Icon size={13} aria-hidden />
    </UnstyledButton>
  );
}

/** The head of a column of amounts, above their last digits. */
export const AmountHead = ({ children }: { children: string }) => (
  <span className={amountCellsStyles['head']}>{children}</span>
);

/** A dash for an amount that does not exist. */
export const AmountCell = ({ minor, currency }: { minor: number | null; currency: string }) => (
  <Table.Td className={amountCellsStyles['amount']}>
    {minor === null ? '–' : formatMoney(minor, currency)}
  </Table.Td>
);

const skeletonWidths = ['62%', '80%', '45%', '70%', '54%'];

/** Grey rows in the place of rows that are loading. */
function SkeletonRows({ columns }: { columns: number }) {
  return skeletonWidths.map((_width, row) => (
    // oxlint-disable-next-line react/no-array-index-key -- placeholders have no identity
    <Table.Tr key={row} aria-hidden>
      {Array.from({ length: columns }, (_unused, column) => (
        // oxlint-disable-next-line react/no-array-index-key -- placeholders have no identity
        <Table.Td key={column}>
          <Skeleton height={10} width={skeletonWidths[(row + column) % skeletonWidths.length]} />
        </Table.Td>
      ))}
    </Table.Tr>
  ));
}

/** True while the table is not wider than its card. Measured before the first paint, and at each change of a size. */
function useFits(): [RefObject<HTMLDivElement | null>, boolean] {
  const ref = useRef<HTMLDivElement>(null);
  const [fits, setFits] = useState(true);
  useLayoutEffect(() => {
    const card = ref.current;
    const table = card?.querySelector('table');
    if (!card || !table) return undefined;
    // A table grows with words that do not break, so its least width says nothing about its width.
    const measure = () => setFits(table.offsetWidth <= card.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(card);
    observer.observe(table);
    return () => observer.disconnect();
  }, []);
  return [ref, fits];
}

interface CutTextProps {
  text: string | undefined;
  /** Less important than the text above it. */
  isSmall?: boolean;
  /** Shown instead of the text, such as a link. */
  children?: ReactNode;
}

/** A text of a cell, on one line. It is cut where it is too long, and whole on hover. */
export const CutText = ({ text, isSmall, children = text }: CutTextProps) => (
  <Text {...(isSmall ? { size: 'xs', c: 'dimmed' } : { inherit: true })} truncate title={text}>
    {children}
  </Text>
);
