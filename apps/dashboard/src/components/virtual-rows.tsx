import { Table } from '@mantine/core';
import { defaultRangeExtractor, useWindowVirtualizer, type Range } from '@tanstack/react-virtual';
import {
  Fragment,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type ReactNode,
} from 'react';

interface VirtualRowsProps<Row extends { id: string }> {
  rows: readonly Row[];
  renderRow: (row: Row) => ReactNode;
  onVisibleRows: ((first: number, last: number) => void) | undefined;
}

const rowHeight = 41;
const overscan = 12;

/** The body of a long table. Rows outside the window are replaced by empty rows of their height. */
export function VirtualRows<Row extends { id: string }>({
  rows,
  renderRow,
  onVisibleRows,
}: VirtualRowsProps<Row>) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [focused, setFocused] = useState<number>();
  const [offset, setOffset] = useState(0);
  const rangeExtractor = useCallback((range: Range) => withRow(range, focused), [focused]);
  // oxlint-disable-next-line react/incompatible-library -- its functions go to no memoized component
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => rowHeight,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan,
    scrollMargin: offset,
    rangeExtractor,
  });
  const shown = virtualizer.getVirtualItems();
  // While only the part of the list in the window changes, each row is the same element, which React does not render again.
  const elementOf = useMemo(() => {
    const made = new WeakMap<Row, ReactNode>();
    return (row: Row): ReactNode => {
      if (!made.has(row)) made.set(row, renderRow(row));
      return made.get(row);
    };
  }, [renderRow]);
  useLayoutEffect(() => {
    const top = body.current?.getBoundingClientRect().top;
    if (top !== undefined) setOffset(Math.round(top + window.scrollY));
  }, []);
  // Each row is one `tr` of another component, so it is measured here instead of by a ref.
  useLayoutEffect(() => {
    const elements = body.current?.querySelectorAll<HTMLElement>(':scope > tr:not([aria-hidden])') ?? [];
    for (const [place, element] of elements.entries()) {
      const index = shown[place]?.index ?? 0;
      element.dataset['index'] = String(index);
      element.setAttribute('aria-rowindex', String(index + 2));
      virtualizer.measureElement(element);
    }
  }, [shown, virtualizer]);
  const { startIndex = 0, endIndex = 0 } = virtualizer.range ?? {};
  useEffect(() => onVisibleRows?.(startIndex, endIndex), [onVisibleRows, startIndex, endIndex]);
  let end = offset;
  const gapBefore = (start: number) => {
    const height = start - end;
    return height > 0 ? <Gap height={height} /> : null;
  };
  return (
    <Table.Tbody
      ref={body}
      onFocusCapture={({ target }) => setFocused(indexOf(target))}
      onBlurCapture={() => setFocused(undefined)}
    >
      {shown.map((item) => {
        const row = rows[item.index];
        if (row === undefined) return null;
        const gap = gapBefore(item.start);
        end = item.end;
        return (
          <Fragment key={item.key}>
            {gap}
            {elementOf(row)}
          </Fragment>
        );
      })}
      {gapBefore(offset + virtualizer.getTotalSize())}
    </Table.Tbody>
  );
}

const Gap = ({ height }: { height: number }) => (
  <tr aria-hidden>
    <td style={{ height, padding: 0 }} />
  </tr>
);

/** The row with the focus stays in the document, or the focus would be lost when the page is scrolled. */
function withRow(range: Range, focused: number | undefined): number[] {
  const indexes = defaultRangeExtractor(range);
  if (focused === undefined || focused >= range.count || indexes.includes(focused)) return indexes;
  return [...indexes, focused].toSorted((one, other) => one - other);
}

function indexOf(target: EventTarget): number | undefined {
  const row = target instanceof Element ? target.closest<HTMLElement>('tr[data-index]') : null;
  return row ? Number(row.dataset['index']) : undefined;
}
