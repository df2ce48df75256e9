import { Button, CloseButton, Group, Select, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { timeRangeNames, timeRanges, type TimeRange } from '../time-ranges.ts';
import styles from './filter-bar.module.css';

/** The filters above a list. */
export const FilterBar = ({ children }: { children: ReactNode }) => (
  <search className={styles['filters']} aria-label="Filters">
    {children}
  </search>
);

interface SearchFilterProps {
  label: string;
  placeholder?: string | undefined;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

/** A text to search for. Searches on Enter and when the field loses the focus, not at every character. */
export function SearchFilter({ label, placeholder, value, onChange }: SearchFilterProps) {
  const [typed, setTyped] = useState<string>();
  const shown = typed ?? value ?? '';
  const apply = (text: string) => {
    const wanted = text.trim() || undefined;
    if (wanted !== value) onChange(wanted);
    setTyped(undefined);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        apply(shown);
      }}
    >
      <TextInput
        label={label}
        placeholder={placeholder}
        maxLength={100}
        spellCheck={false}
        autoComplete="off"
        leftSection={<IconSearch size={14} />}
        rightSection={
          shown === '' ? null : (
            <CloseButton size="sm" aria-label={`Clear ${label.toLowerCase()}`} onClick={() => apply('')} />
          )
        }
        value={shown}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onBlur={() => apply(shown)}
      />
    </form>
  );
}

// Few readers choose a time with minutes.
const TimeSpanFields = lazy(async () => ({
  default: (await import('./time-span-fields.tsx')).TimeSpanFields,
}));

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
      {isChosen ? (
        <Suspense>
          <TimeSpanFields from={from} to={to} onChange={onChange} />
        </Suspense>
      ) : null}
    </>
  );
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

interface NoMatchActionsProps {
  search: { range?: TimeRange | undefined; from?: string | undefined };
  defaultRange: TimeRange;
  show: (change: { range: TimeRange; from: undefined; to: undefined }) => void;
  /** Absent when there are no filters. */
  onClear: (() => void) | undefined;
}

/** The buttons of a list without a match: they drop the filters and look further back. */
export function NoMatchActions({ search, defaultRange, show, onClear }: NoMatchActionsProps) {
  const isWidest = search.from === undefined && (search.range ?? defaultRange) === 'last_90_days';
  return (
    <Group gap="xs" justify="center">
      {onClear ? <Button onClick={onClear}>Clear filters</Button> : null}
      {isWidest ? null : (
        <Button
          variant="default"
          onClick={() => show({ range: 'last_90_days', from: undefined, to: undefined })}
        >
          Show the last 90 days
        </Button>
      )}
    </Group>
  );
}
