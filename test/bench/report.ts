// How benches print: columns for people, and each figure that has a target with its verdict.
import { median } from './median.ts';

export interface Target {
  figure: number;
  limit: number;
  /** Whether the figure must not be above the limit, or not below it. */
  is: 'at most' | 'at least';
}

export const isMet = ({ figure, limit, is }: Target): boolean =>
  is === 'at most' ? figure <= limit : figure >= limit;

/** `target <= 1.5: met` */
export const verdictOf = (target: Target): string =>
  `target ${target.is === 'at most' ? '<=' : '>='} ${target.limit}: ${isMet(target) ? 'met' : 'MISSED'}`;

/** Columns as wide as their widest cell; the first is text and stands left, the others are figures and stand right. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows)
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, cell.length);
  const line = (row: readonly string[]): string =>
    row
      .map((cell, index) => (index === 0 ? cell.padEnd(widths[index]!) : cell.padStart(widths[index]!)))
      .join('  ');
  return rows.map((row) => `  ${line(row)}`.trimEnd()).join('\n');
}

/** 12,345 */
export const count = (value: number): string => Math.round(value).toLocaleString('en');

/** A dash where nothing was measured. */
export function ms(value: number): string {
  if (Number.isNaN(value)) return '-';
  if (value >= 100) return `${value.toFixed(0)} ms`;
  return `${value.toFixed(value < 10 ? 2 : 1)} ms`;
}

/** The median of each figure over the rounds. */
export function mediansOf<Figures extends object>(rounds: readonly Figures[]): Figures {
  const names = Object.keys(rounds[0]!) as (keyof Figures)[];
  const entries = names.map((name) => [name, median(rounds.map((round) => Number(round[name])))]);
  return Object.fromEntries(entries) as Figures;
}
