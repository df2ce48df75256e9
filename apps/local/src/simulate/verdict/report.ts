// The table at the end.
import { isWithin, showCount, type Count } from '../count.ts';
import type { Percentiles } from '../latency-histogram.ts';
import type { Compared, Reconciliation } from './reconcile.ts';

const differencesShown = 20;

/** A table of actions, records, firings and deliveries, then the differences. */
export function showReconciliation({ lines, differences }: Reconciliation): string {
  const head = ['', 'done', 'recorded', 'fired', 'delivered', 'differences'];
  const cells = lines.map(({ what, done, recorded, fired, delivered, differences }) => [
    what,
    showCount(done),
    showCompared(recorded, done),
    showCompared(fired, done),
    showCompared(delivered, done),
    differences === 0 ? '-' : `${differences}`,
  ]);
  const more = differences.length - differencesShown;
  return [
    columns([head, ...cells]),
    '',
    ...(differences.length === 0 ? ['No differences.'] : [`${differences.length} differences:`]),
    ...differences.slice(0, differencesShown).map(({ text }) => `  ${text}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ].join('\n');
}

/** The found count, with the expected count where that is not the count of actions: in a sample, or for events that count once. */
function showCompared(compared: Compared | null, done: Count): string {
  if (!compared) return '-';
  const { expected, found } = compared;
  const isSame = isWithin(found, expected) && expected.least === done.least && expected.most === done.most;
  return isSame ? `${found}` : `${found} of ${showCount(expected)}`;
}

export function showLatencies(latencies: ReadonlyMap<string, Percentiles>): string {
  const ms = (value: number): string => `${value < 100 ? value.toFixed(1) : value.toFixed(0)} ms`;
  const lines = [...latencies].map(([name, { count, p50, p95, p99, max }]) => [
    name,
    count.toLocaleString('en'),
    ...[p50, p95, p99, max].map(ms),
  ]);
  return columns([['', 'calls', 'p50', 'p95', 'p99', 'max'], ...lines]);
}

/** Aligns columns: the first one left, the others right. */
function columns(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, index) => Math.max(...rows.map((row) => row[index]!.length)));
  return rows
    .map((row) =>
      row
        .map((cell, index) => (index === 0 ? cell.padEnd(widths[index]!) : cell.padStart(widths[index]!)))
        .join('  ')
        .replace(/^/, '  ')
        .trimEnd(),
    )
    .join('\n');
}
