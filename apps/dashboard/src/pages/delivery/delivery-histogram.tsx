import { TimeHistogram, type BarPart } from '../../components/time-histogram.tsx';
import { formatMilliseconds, formatPlural } from '../../format.ts';
import { pickedTimeOf, timeRanges } from '../../time-ranges.ts';
import type { DeliveryHistogram as Histogram } from '../../trpc.ts';
import { LatencyLine } from './latency-line.tsx';
import styles from './latency.module.css';
import { defaultRange, type DeliverySearch } from './search.ts';
import { useDeliveryHistogram, type DeliveryFilter } from './use-delivery-list.ts';

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
];

/** All deliveries over time, with the time that endpoints take to answer. */
export function DeliveryHistogram({ filter, search, show }: DeliveryHistogramProps) {
  const { data, error, refetch } = useDeliveryHistogram(filter);
  const bars = data?.bars ?? [];
  return (
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
      rangeText={timeRanges[search.range ?? defaultRange].text}
      picked={pickedTimeOf(search)}
      onPick={show}
    />
  );
}

const latencyOf = (seen: Bar | undefined, bars: readonly Bar[]) => <Latency bars={bars} seen={seen} />;

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
