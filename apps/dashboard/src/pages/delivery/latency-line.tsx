import styles from './latency.module.css';

interface LatencyLineProps {
  bars: readonly { from: string; p50Ms: number | null; p95Ms: number | null }[];
}

const height = 36;

/** p50 and p95 of each bar, drawn as lines below the bars. The figures are texts beside it, so it is hidden from screen readers. */
export function LatencyLine({ bars }: LatencyLineProps) {
  const most = Math.max(1, ...bars.map(({ p95Ms }) => p95Ms ?? 0));
  const pathOf = (name: 'p50Ms' | 'p95Ms'): string =>
    bars
      .map((bar, index) => {
        const ms = bar[name];
        if (ms === null) return '';
        const y = height - 1 - (ms / most) * (height - 2);
        // A bar after an empty one begins a new line. The short segment makes a single point visible.
        const isFirst = index === 0 || bars[index - 1]![name] === null;
        return `${isFirst ? 'M' : 'L'}${index + 0.25} ${y} L${index + 0.75} ${y}`;
      })
      .join(' ');
  return (
    <svg
      className={styles['lines']}
      viewBox={`0 0 ${bars.length} ${height}`}
      preserveAspectRatio="none"
      aria-hidden
    >
      <path data-line="p95" d={pathOf('p95Ms')} vectorEffect="non-scaling-stroke" />
      <path data-line="p50" d={pathOf('p50Ms')} vectorEffect="non-scaling-stroke" />
    </svg>
  );
}
