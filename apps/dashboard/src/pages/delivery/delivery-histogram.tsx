import { Text } from '@mantine/core';
import { TimeHistogram, type BarPart } from '../../components/time-histogram.tsx';
import { formatMilliseconds, formatPlural } from '../../format.ts';
import type { DeliveryHistogram as Histogram } from '../../trpc.ts';
import styles from './latency.module.css';
import { defaultRange, type DeliverySearch } from './search.ts';
import { useDeliveryHistogram, type DeliveryFilter } from './use-deliveries.ts';

interface DeliveryHistogramProps {
  filter: DeliveryFilter;
  search: DeliverySearch;
  show: (change: DeliverySearch) => void;
}

type Bar = Histogram['bars'][number];

const parts: readonly BarPart<Bar>[] = [
  { kind: 'good', word: 'delivered', of: ({ success }) => success },
  { kind: 'bad', word: 'failed', of: ({ failure }) => failure },
  { kind: 'waiting', word: 'waiting', of: ({ waiting }) => waiting },
  { kind: 'ended', word: 'cancelled or sent again', of: ({ cancelled }) => cancelled },
];

/** All deliveries over time, with the time that endpoints take to answer. */
export function DeliveryHistogram({ filter, search, show }: DeliveryHistogramProps) {
  const { data, error, refetch } = useDeliveryHistogram(filter);
  const bars = data?.bars ?? [];
  return (
    <>
      <TimeHistogram
        name="Deliveries over time"
        data={data}
        error={error}
        onRetry={() => void refetch()}
        height={190}
        parts={parts}
        formatTotal={(sum) => formatPlural(sum, 'delivery', 'deliveries')}
        describe={({ p95Ms }) => (p95Ms === null ? '' : `, p95 ${durationText(p95Ms)}`)}
        lines={<LatencyLine bars={bars} />}
        below={latencyOf}
        search={search}
        defaultRange={defaultRange}
        onPick={show}
      />
      {isNarrowed(search) ? (
        <Text size="xs" c="dimmed" mb="sm">
          The chart counts all deliveries of this time. The filters narrow down the list below it.
        </Text>
      ) : null}
    </>
  );
}

const latencyOf = (seen: Bar | undefined, bars: readonly Bar[]) => <Latency bars={bars} seen={seen} />;

/** True for a filter that the chart does not know. */
const isNarrowed = ({ status, event, attendee, code }: DeliverySearch): boolean =>
  [status, event, attendee, code].some((value) => value !== undefined);

/** The durations of a bar, else those of the newest bar that has any: percentiles cannot be added up. */
function Latency({ bars, seen }: { bars: readonly Bar[]; seen: Bar | undefined }) {
  const { p50Ms = null, p95Ms = null } = seen ?? bars.findLast((bar) => bar.p95Ms !== null) ?? {};
  return (
    <div className={styles['latency']}>
      <span>{seen ? 'Time to answer' : 'Latest time to answer'}</span>
      <span>
        <i data-line="p50" aria-hidden /> p50 {durationText(p50Ms)}
      </span>
      <span>
        <i data-line="p95" aria-hidden /> p95 {durationText(p95Ms)}
      </span>
    </div>
  );
}

const durationText = (ms: number | null): string => (ms === null ? '–' : formatMilliseconds(ms));

interface LatencyLineProps {
  bars: readonly { from: string; p50Ms: number | null; p95Ms: number | null }[];
}

const height = 36;

/** p50 and p95 of each bar, drawn as lines below the bars. The figures are texts beside it, so it is hidden from screen readers. */
function LatencyLine({ bars }: LatencyLineProps) {
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
