// The order of a list in the URL, and the columns whose heads change it.
import * as z from 'zod/mini';
import { optional } from './search-params.ts';

export type SortOrder = 'asc' | 'desc';

export const orderParam = optional(z.enum(['asc', 'desc']));

/** A column of `TableCard` that sorts the list. */
export interface SortableColumn {
  title: string;
  /** Undefined while the list is sorted by something else. */
  order: SortOrder | undefined;
  onSort: () => void;
}

interface SortSearch<Name extends string> {
  sort?: Name | undefined;
  order?: SortOrder | undefined;
}

interface SortingOptions<Name extends string> {
  search: SortSearch<Name>;
  /** The order that a first press on each column gives. */
  first: Record<Name, SortOrder>;
  /** The column that sorts the list when the URL names none. Without it, a third press removes the sorting. */
  usual?: NoInfer<Name>;
  show: (change: { sort: Name | undefined; order: SortOrder | undefined }) => void;
}

/** Returns a function that makes the column with a name. */
export function createSorting<Name extends string>({ search, first, usual, show }: SortingOptions<Name>) {
  const sorted = search.sort ?? usual;
  return (name: Name, title: string): SortableColumn => {
    const order = sorted === name ? (search.order ?? first[name]) : undefined;
    const next = order === undefined ? first[name] : reverseOf(order);
    const ends = usual === undefined && order !== undefined && order !== first[name];
    return {
      title,
      order,
      onSort: () =>
        ends
          ? show({ sort: undefined, order: undefined })
          : show({
              sort: name === usual ? undefined : name,
              order: next === first[name] ? undefined : next,
            }),
    };
  };
}

const reverseOf = (order: SortOrder): SortOrder => (order === 'asc' ? 'desc' : 'asc');
