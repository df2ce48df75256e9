// Tables as CSV files (RFC 4180).

export type Cell = string | number | null;

/** The file begins with a byte order mark. Excel reads it in the character set of the machine otherwise. */
export const toCsv = (rows: readonly (readonly Cell[])[]): string =>
  `\uFEFF${rows.map((row) => row.map(toField).join(',')).join('\r\n')}\r\n`;

/** A spreadsheet would run a text that begins like a formula, and strangers choose the names and the sources of registrations. */
function toField(cell: Cell): string {
  if (typeof cell !== 'string') return String(cell ?? '');
  const text = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A text of a file that `toCsv` or the service made, as it was before. */
export const fromField = (text: string): string => text.replace(/^'(?=[=+\-@])/, '');

/** Saves a file with the name of the table: `import-results.csv` for "Import results". */
export function saveCsv(title: string, rows: readonly (readonly Cell[])[]): void {
  const url = URL.createObjectURL(new Blob([toCsv(rows)], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.csv`;
  link.click();
  URL.revokeObjectURL(url);
}
