import { useQuery } from '@tanstack/react-query';
import { TimeHistogram, type BarPart } from '../../components/time-histogram.tsx';
import { formatPlural } from '../../format.ts';
import { pickedTimeOf, timeRanges, utcOffsetMinutes } from '../../time-ranges.ts';
import { useTRPC, type Histogram } from '../../trpc.ts';
import { defaultRange } from './search.ts';
import { useActivitySearch } from './use-activity-search.ts';

const parts: readonly BarPart<Histogram['bars'][number]>[] = [
  { kind: 'good', word: 'succeeded', of: ({ success }) => success },
  { kind: 'bad', word: 'failed', of: ({ failure }) => failure },
];

/** The calls over time. */
export function ActivityHistogram() {
  const trpc = useTRPC();
  const { search, filter, show } = useActivitySearch();
  const { data } = useQuery(trpc.activity.histogram.queryOptions({ ...filter, utcOffsetMinutes }));
  return (
    <TimeHistogram
      name="Calls over time"
      data={data?.data}
      height={142}
      parts={parts}
      formatTotal={(sum) => formatPlural(sum, 'call')}
      rangeText={timeRanges[search.range ?? defaultRange].text}
      picked={pickedTimeOf(search)}
      onPick={show}
    />
  );
}
