import { Button, Skeleton, Text } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { useState } from 'react';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { StackedBars } from '../../components/stacked-bars.tsx';
import { Status } from '../../components/status.tsx';
import { formatCount, formatMilliseconds, formatMinute, formatPlural, formatSpan } from '../../format.ts';
import type { DeliveryHistogram as Histogram } from '../../trpc.ts';
import { LatencyLine } from './latency-line.tsx';
import styles from './delivery-histogram.module.css';
import { defaultRange, ranges, type DeliverySearch } from './search.ts';
import { useDeliveryHistogram, type DeliveryFilter } from './use-delivery-list.ts';

interface DeliveryHistogramProps {
  filter: DeliveryFilter;
  search: DeliverySearch;
  show: (change: DeliverySearch) => void;
}

/** All deliveries over time. Selected bars limit the list to their time. */
export function DeliveryHistogram({ filter, search, show }: DeliveryHistogramProps) {
  const { data, error, refetch } = useDeliveryHistogram(filter);
  const range = ranges[search.range ?? defaultRange].text;
  return (
    <section className={styles['card']} aria-label="Deliveries over time">
      {error && !data ? <FailureNotice error={error} onRetry={() => void refetch()} /> : null}
      {data ? <Bars histogram={data} onPick={(from, to) => show({ from, to })} /> : null}
      {data || error ? null : <Skeleton height={190} aria-busy />}
      {search.from !== undefined && search.to !== undefined ? (
        <div className={styles['picked']}>
          <span>
            Only <b>{formatSpan(search.from, search.to)}</b>
          </span>
          <Button
            variant="default"
            size="compact-xs"
            leftSection={<IconArrowBackUp size={13} />}
            onClick={() => show({ from: undefined, to: undefined })}
          >
            Back to {range.toLowerCase()}
          </Button>
        </div>
      ) : null}
    </section>
  );
}

interface BarsProps {
  histogram: Histogram;
  onPick: (from: string, to: string) => void;
}

function Bars({ histogram, onPick }: BarsProps) {
  const [shown, setShown] = useState<number>();
  const { bars, seconds } = histogram;
  const endOf = (index: number): string =>
    new Date(Date.parse(bars[index]!.from) + seconds * 1000).toISOString();
  const seen = shown === undefined ? undefined : bars[shown];
  const counts = seen ?? totalOf(histogram);
  return (
    <>
      <div className={styles['head']}>
        <Text size="sm" fw={550} component="span">
          {seen
            ? formatSpan(seen.from, endOf(shown!))
            : formatPlural(counts.success + counts.failure + counts.waiting, 'delivery', 'deliveries')}
        </Text>
        <span className={styles['legend']}>
          <Status tone="info" isPill={false}>
            {formatCount(counts.success)} delivered
          </Status>
          <Status tone="bad" isPill={false}>
            {formatCount(counts.failure)} failed
          </Status>
          <Status tone="warn" isPill={false}>
            {formatCount(counts.waiting)} waiting
          </Status>
        </span>
      </div>
      <StackedBars
        name="Deliveries over time. Pick bars to see only their time."
        bars={bars.map((bar, index) => ({
          label: `${formatSpan(bar.from, endOf(index))}: ${countsText(bar)}`,
          good: bar.success,
          bad: bar.failure,
          waiting: bar.waiting,
        }))}
        onLook={setShown}
        onPick={(first, last) => onPick(bars[first]!.from, endOf(last))}
      />
      <LatencyLine bars={bars} />
      <div className={styles['axis']} aria-hidden>
        {[0, bars.length / 2, bars.length - 1].map((place) => (
          <span key={place}>{formatMinute(bars[Math.floor(place)]!.from)}</span>
        ))}
      </div>
      <div className={styles['latency']}>
        <span>{seen ? 'Time to answer' : 'Latest time to answer'}</span>
        <span>
          <i data-line="p50" aria-hidden /> p50 {durationText(counts.p50Ms)}
        </span>
        <span>
          <i data-line="p95" aria-hidden /> p95 {durationText(counts.p95Ms)}
        </span>
      </div>
    </>
  );
}

type Counts = Pick<Histogram['bars'][number], 'success' | 'failure' | 'waiting' | 'p50Ms' | 'p95Ms'>;

/** The sums, with the durations of the newest bar that has any: percentiles cannot be added up. */
function totalOf({ bars }: Histogram): Counts {
  const sum = (name: 'success' | 'failure' | 'waiting') => bars.reduce((all, bar) => all + bar[name], 0);
  const { p50Ms = null, p95Ms = null } = bars.findLast((bar) => bar.p95Ms !== null) ?? {};
  return { success: sum('success'), failure: sum('failure'), waiting: sum('waiting'), p50Ms, p95Ms };
}

const countsText = ({ success, failure, waiting, p95Ms }: Counts): string =>
  `${success} delivered, ${failure} failed, ${waiting} waiting${p95Ms === null ? '' : `, p95 ${durationText(p95Ms)}`}`;

const durationText = (ms: number | null): string => (ms === null ? '–' : formatMilliseconds(ms));
