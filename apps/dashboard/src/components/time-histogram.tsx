import { Button, Skeleton, Text } from '@mantine/core';
import { IconArrowBackUp } from '@service/icons';
import { useState, type ReactNode } from 'react';
import { formatCount, formatMinute, formatSpan } from '../format.ts';
import { timeRanges, type TimeRange } from '../time-ranges.ts';
import { BarPicker } from './bar-picker.tsx';
import { FailureNotice } from './failure-notice.tsx';
import barStyles from './stacked-bars.module.css';
import { Status, type Tone } from './status.tsx';
import styles from './time-histogram.module.css';

/** One part of each bar. The first one is at the bottom. */
export interface BarPart<Bar> {
  kind: 'good' | 'bad' | 'waiting' | 'ended';
  /** "delivered": after the number. */
  word: string;
  of: (bar: Bar) => number;
}

interface TimeBar {
  /** ISO 8601. */
  from: string;
}

interface TimeHistogramProps<Bar extends TimeBar> {
  /** "Calls over time" */
  name: string;
  data: { bars: readonly Bar[]; seconds: number } | undefined;
  error?: unknown;
  onRetry?: (() => void) | undefined;
  /** Pixels of the content while it loads. */
  height: number;
  parts: readonly BarPart<Bar>[];
  /** "1,204 calls", for the sum of all parts. */
  formatTotal: (sum: number) => string;
  /** More about a bar, for screen readers: ", p95 120 ms". */
  describe?: (bar: Bar) => string;
  /** Drawn with the bars, above the axis. */
  lines?: ReactNode;
  /** Below the axis. `seen` is the bar with the pointer or the focus. */
  below?: (seen: Bar | undefined, bars: readonly Bar[]) => ReactNode;
  /** The range and the selected bars, as the URL keeps them. */
  search: { range?: TimeRange | undefined; from?: string | undefined; to?: string | undefined };
  defaultRange: TimeRange;
  onPick: (change: { from: string | undefined; to: string | undefined }) => void;
}

/** A card with stacked bars over time. Selected bars limit the list below it to their time. */
export function TimeHistogram<Bar extends TimeBar>(props: TimeHistogramProps<Bar>) {
  const { name, data, error, onRetry, height, search, defaultRange, onPick } = props;
  const { range = defaultRange, from, to } = search;
  return (
    <section className={styles['card']} aria-label={name}>
      {error && !data ? <FailureNotice error={error} onRetry={onRetry} /> : null}
      {data ? <Bars {...props} data={data} /> : null}
      {data || error ? null : <Skeleton height={height} aria-busy />}
      {from !== undefined && to !== undefined ? (
        <div className={styles['picked']}>
          <span>
            Only <b>{formatSpan(from, to)}</b>
          </span>
          <Button
            variant="default"
            size="compact-xs"
            leftSection={<IconArrowBackUp size={13} />}
            onClick={() => onPick({ from: undefined, to: undefined })}
          >
            Back to {timeRanges[range].text.toLowerCase()}
          </Button>
        </div>
      ) : null}
    </section>
  );
}

const tones: Record<BarPart<unknown>['kind'], Tone> = {
  good: 'info',
  bad: 'bad',
  waiting: 'warn',
  ended: 'quiet',
};

type BarsProps<Bar extends TimeBar> = TimeHistogramProps<Bar> & {
  data: NonNullable<TimeHistogramProps<Bar>['data']>;
};

function Bars<Bar extends TimeBar>(props: BarsProps<Bar>) {
  const { name, data, parts, formatTotal, describe, lines, below, onPick } = props;
  const [shown, setShown] = useState<number>();
  const { bars, seconds } = data;
  const endOf = (index: number): string =>
    new Date(Date.parse(bars[index]!.from) + seconds * 1000).toISOString();
  const sumOf = ({ of }: BarPart<Bar>): number => bars.reduce((sum, bar) => sum + of(bar), 0);
  const seen = shown === undefined ? undefined : bars[shown];
  const partText = (part: BarPart<Bar>, value: number): string => `${formatCount(value)} ${part.word}`;
  const totalOf = (bar: Bar): number => parts.reduce((sum, part) => sum + part.of(bar), 0);
  const most = Math.max(1, ...bars.map(totalOf));
  const filled = bars.filter((bar) => totalOf(bar) > 0);
  const only = filled.length === 1 ? bars.indexOf(filled[0]!) : undefined;
  return (
    <>
      <div className={styles['head']}>
        <Text size="sm" fw={550} component="span">
          {seen
            ? formatSpan(seen.from, endOf(shown!))
            : formatTotal(bars.reduce((sum, bar) => sum + totalOf(bar), 0))}
          {only === undefined || seen ? null : (
            <Text span inherit fw={400} c="dimmed">
              , all at {formatSpan(bars[only]!.from, endOf(only))}
            </Text>
          )}
        </Text>
        <span className={styles['legend']}>
          {parts.map((part) => (
            <Status key={part.kind} tone={tones[part.kind]} isPill={false}>
              {partText(part, seen ? part.of(seen) : sumOf(part))}
            </Status>
          ))}
        </span>
      </div>
      <BarPicker
        name={`${name}. Pick bars to see only their time.`}
        labels={bars.map((bar, index) => {
          const texts = parts.map((part) => partText(part, part.of(bar)));
          return `${formatSpan(bar.from, endOf(index))}: ${texts.join(', ')}${describe?.(bar) ?? ''}`;
        })}
        renderBar={(index) =>
          parts
            .toReversed()
            .map(({ kind, of }) => (
              <span
                key={kind}
                className={barStyles[kind]}
                style={{ height: heightOf(of(bars[index]!), most) }}
              />
            ))
        }
        onLook={setShown}
        onPick={(first, last) => onPick({ from: bars[first]!.from, to: endOf(last) })}
      />
      {lines}
      <div className={styles['axis']} aria-hidden>
        {[0, bars.length / 2, bars.length - 1].map((place) => (
          <span key={place}>{formatMinute(bars[Math.floor(place)]!.from)}</span>
        ))}
      </div>
      {below?.(seen, bars)}
    </>
  );
}

/** Keeps the smallest count visible. */
const heightOf = (count: number, most: number): string | number =>
  count === 0 ? 0 : `max(2px, ${(count / most) * 100}%)`;
