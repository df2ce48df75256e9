// Comma-separated values as in RFC 4180, for spreadsheets. A door of its own (`@service/rest/csv`) without imports, because the dashboard writes
// and reads files too.

/** Excel reads a file without it in the character set of the machine. */
export const byteOrderMark = '\uFEFF';

/**
 * Text that a spreadsheet would read as a formula begins with one of these
 * (https://owasp.org/www-community/attacks/CSV_Injection). An apostrophe before it makes it text.
 */
const formulaStart = /^[=+\-@\t\r]/;

/** A cell with text. */
export const textCell = (text: string | null): string => {
  if (text === null) return '';
  const safe = formulaStart.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** The text that a cell was made from, without the quotes of the cell. */
export const textOfCell = (cell: string): string =>
  cell.startsWith("'") && formulaStart.test(cell.slice(1)) ? cell.slice(1) : cell;

/** A cell with a number, which may begin with a minus sign. */
export const numberCell = (value: number | string | null): string => (value === null ? '' : String(value));

export const toLine = (cells: readonly string[]): string => `${cells.join(',')}\r\n`;
