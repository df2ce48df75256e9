// Tables as CSV files.
import { byteOrderMark, numberCell, textCell, toLine } from '@service/rest/csv';

export type Cell = string | number | null;

export const toCsv = (rows: readonly (readonly Cell[])[]): string =>
  byteOrderMark + rows.map((row) => toLine(row.map(toField))).join('');

const toField = (cell: Cell): string => (typeof cell === 'string' ? textCell(cell) : numberCell(cell));

/** Saves a file with the name of the table: `import-results.csv` for "Import results". */
export function saveCsv(title: string, rows: readonly (readonly Cell[])[]): void {
  const url = URL.createObjectURL(new Blob([toCsv(rows)], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.csv`;
  link.click();
  URL.revokeObjectURL(url);
}
