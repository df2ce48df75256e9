// The report of a bench: text for people, figures for programs, and a target for each figure that is judged.
import { median } from './median.ts';

/** A figure, its target, and the limit that is accepted until the target is met. */
export interface Target {
  name: string;
  figure: number;
  /** The figure must be at most, or at least, its target. */
  is: 'at most' | 'at least';
  target: number;
  /** A worse figure is a regression. Never stricter than the target. */
  accepted: number;
}

/** `accepted` is the limit until the target is met; the target itself when it is left out. */
type Limits = [figure: number, target: number, accepted?: number];

export const atLeast = (name: string, ...[figure, target, accepted = target]: Limits): Target => ({
  name,
  figure,
  is: 'at least',
  target,
  accepted,
});

export const atMost = (name: string, ...limits: Limits): Target => ({
  ...atLeast(name, ...limits),
  is: 'at most',
});

export type Verdict = 'met' | 'accepted' | 'TOO LOW' | 'TOO HIGH';

export function verdictOf({ figure, is, target, accepted }: Target): Verdict {
  const reaches = (limit: number): boolean => (is === 'at most' ? figure <= limit : figure >= limit);
  if (reaches(target)) return 'met';
  if (reaches(accepted)) return 'accepted';
  return is === 'at most' ? 'TOO HIGH' : 'TOO LOW';
}

export const isAccepted = (target: Target): boolean => ['met', 'accepted'].includes(verdictOf(target));

/** A line for each: name, figure, target, accepted limit, verdict. */
export function describeTargets(targets: readonly Target[]): string {
  const sign = ({ is }: Target): string => (is === 'at most' ? '<=' : '>=');
  return columns([
    ['', 'figure', 'target', 'accepted', 'verdict'],
    ...targets.map((one) => [
      one.name,
      String(Number(one.figure.toPrecision(3))),
      `${sign(one)} ${one.target}`,
      `${sign(one)} ${one.accepted}`,
      verdictOf(one),
    ]),
  ]);
}

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
