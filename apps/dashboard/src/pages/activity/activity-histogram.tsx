import { Button, Skeleton, Text } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { StackedBars } from '../../components/stacked-bars.tsx';
import { Status } from '../../components/status.tsx';
import { formatCount, formatMinute, formatPlural, formatSpan } from '../../format.ts';
import { useTRPC, type Histogram } from '../../trpc.ts';
import { rangeTexts } from './activity-filters.tsx';
import styles from './activity-histogram.module.css';
import { useActivitySearch } from './use-activity-search.ts';

/** Bars of hours and days follow the reader's time zone. */
const utcOffsetMinutes = Math.round(-new Date().getTimezoneOffset() / 15) * 15;

/** The calls over time. Selected bars limit the list to their time. */
export function ActivityHistogram() {
  const trpc = useTRPC();
  const { search, filter, show } = useActivitySearch();
  const { data } = useQuery(trpc.activity.histogram.queryOptions({ ...filter, utcOffsetMinutes }));
  const range = rangeTexts[search.range ?? 'last_24_hours'];
  return (
    <section className={styles['card']} aria-label="Calls over time">
      {data ? (
        <Bars histogram={data.data} onPick={(from, to) => show({ from, to })} />
      ) : (
        <Skeleton height={142} aria-busy />
      )}
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

function Bars({ histogram: { bars, seconds }, onPick }: BarsProps) {
  const [shown, setShown] = useState<number>();
  const endOf = (index: number): string =>
    new Date(Date.parse(bars[index]!.from) + seconds * 1000).toISOString();
  const success = bars.reduce((sum, bar) => sum + bar.success, 0);
  const failure = bars.reduce((sum, bar) => sum + bar.failure, 0);
  const seen = shown === undefined ? undefined : bars[shown];
  return (
    <>
      <div className={styles['head']}>
        <Text size="sm" fw={550} component="span">
          {seen ? formatSpan(seen.from, endOf(shown!)) : formatPlural(success + failure, 'call')}
        </Text>
        <span className={styles['legend']}>
          <Status tone="info" isPill={false}>
            {formatCount(seen?.success ?? success)} succeeded
          </Status>
          <Status tone="bad" isPill={false}>
            {formatCount(seen?.failure ?? failure)} failed
          </Status>
        </span>
      </div>
      <StackedBars
        name="Calls over time. Pick bars to see only their time."
        bars={bars.map((bar, index) => ({
          label: `${formatSpan(bar.from, endOf(index))}: ${bar.success} succeeded, ${bar.failure} failed`,
          good: bar.success,
          bad: bar.failure,
        }))}
        onLook={setShown}
        onPick={(first, last) => onPick(bars[first]!.from, endOf(last))}
      />
      <div className={styles['axis']} aria-hidden>
        {[0, bars.length / 2, bars.length - 1].map((place) => (
          <span key={place}>{formatMinute(bars[Math.floor(place)]!.from)}</span>
        ))}
      </div>
    </>
  );
}
