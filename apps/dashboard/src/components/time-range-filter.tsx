import { Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { timeRangeNames, timeRanges, type TimeRange } from '../time-ranges.ts';
import { instantToZonedTime, localTimeZone, zonedTimeToInstant } from '../zoned-time.ts';

const chosenTime = 'chosen';

const rangeOptions = [
  ...timeRangeNames.map((value) => ({ value, label: timeRanges[value].text })),
  { value: chosenTime, label: 'From … to …' },
];

interface TimeRangeFilterProps {
  /** The range, and the time that was chosen instead of it. */
  search: { range?: TimeRange | undefined; from?: string | undefined; to?: string | undefined };
  /** Shown for undefined. The URL leaves it out. */
  defaultRange: TimeRange;
  /** A new range also ends a choice of bars in the chart. */
  onChange: (change: {
    range?: TimeRange | undefined;
    from: string | undefined;
    to: string | undefined;
  }) => void;
}

/** A range up to now, or one from a minute to another. */
export function TimeRangeFilter({ search, defaultRange, onChange }: TimeRangeFilterProps) {
  const { range = defaultRange, from, to } = search;
  const isChosen = from !== undefined && to !== undefined;
  return (
    <>
      <Select
        label="Time range"
        allowDeselect={false}
        data={rangeOptions}
        value={isChosen ? chosenTime : range}
        onChange={(chosen) => {
          if (chosen === chosenTime) {
            const nowMs = Math.floor(Date.now() / minuteMs) * minuteMs;
            const startMs = nowMs - timeRanges[range].hours * hourMs;
            onChange({ from: new Date(startMs).toISOString(), to: new Date(nowMs).toISOString() });
          } else {
            onChange({
              from: undefined,
              to: undefined,
              range: chosen === defaultRange ? undefined : ((chosen as TimeRange | null) ?? undefined),
            });
          }
        }}
      />
      {isChosen ? <TimeSpanFields from={from} to={to} onChange={onChange} /> : null}
    </>
  );
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

interface TimeSpanFieldsProps {
  /** ISO 8601. */
  from: string;
  to: string;
  onChange: (change: { from: string; to: string }) => void;
}

/** A time range with minutes, in the zone of the reader. It applies when a field loses the focus, and on Enter. */
function TimeSpanFields({ from, to, onChange }: TimeSpanFieldsProps) {
  const [typed, setTyped] = useState<{ from?: string; to?: string }>({});
  const zone = localTimeZone();
  const shown = {
    from: typed.from ?? instantToZonedTime(Date.parse(from), zone),
    to: typed.to ?? instantToZonedTime(Date.parse(to), zone),
  };
  const isBackwards = shown.from !== '' && shown.to !== '' && shown.from >= shown.to;
  const apply = () => {
    if (isBackwards || shown.from === '' || shown.to === '') return;
    if (typed.from === undefined && typed.to === undefined) return;
    onChange({
      from: typed.from === undefined ? from : zonedTimeToInstant(shown.from, zone),
      to: typed.to === undefined ? to : zonedTimeToInstant(shown.to, zone),
    });
    setTyped({});
  };
  const field = (name: 'from' | 'to', label: string) => (
    <TextInput
      label={label}
      type="datetime-local"
      wrapperProps={{ 'data-always': true }}
      title={`In your time zone, ${zone}`}
      value={shown[name]}
      error={name === 'to' && isBackwards ? 'Must be after the start.' : undefined}
      onChange={(event) => setTyped({ ...typed, [name]: event.currentTarget.value })}
      onBlur={apply}
      onKeyDown={({ key }) => (key === 'Enter' ? apply() : undefined)}
    />
  );
  return (
    <>
      {field('from', 'From')}
      {field('to', 'To')}
    </>
  );
}
