import { Button, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconArrowBackUp } from '@service/icons';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { FilterProps } from '../../components/choice-filter.tsx';
import filterStyles from '../../components/filter-bar.module.css';
import { useTRPC } from '../../trpc.ts';
import { formatDays } from './days.ts';
import { defaultRange, ranges, reportRange, type Range } from './filters.ts';
import styles from './revenue.module.css';
import type { RevenueSearch } from './search.ts';

export interface SearchProps {
  search: RevenueSearch;
  show: (change: RevenueSearch) => void;
}

const rangeOptions = Object.entries(ranges).map(([value, { text }]) => ({
  value: value as Range,
  label: text,
}));
const reportOptions = rangeOptions.filter(({ value }) => ranges[value].days !== undefined);

/** The time and the webinar of the whole page. They are in the URL. */
export function TimeFilters({ search, show }: SearchProps) {
  const { from, to } = search;
  const isReport = search.tab === undefined;
  const range = isReport ? reportRange(search) : (search.range ?? defaultRange);
  return (
    <>
      <search className={filterStyles['filters']} aria-label="Time and webinar">
        <Select
          label="Time range"
          allowDeselect={false}
          data={isReport ? reportOptions : rangeOptions}
          value={range}
          onChange={(next) =>
            show({
              from: undefined,
              to: undefined,
              range: next === defaultRange ? undefined : (next ?? undefined),
            })
          }
        />
        <WebinarFilter
          value={search.webinar}
          // An offer belongs to one webinar.
          onChange={(webinar) => show({ webinar, offer: undefined })}
        />
      </search>
      {from !== undefined && to !== undefined ? (
        <div className={styles['picked']}>
          <span>
            Only <b>{formatDays(from, to)}</b>
          </span>
          <Button
            variant="default"
            size="compact-xs"
            leftSection={<IconArrowBackUp size={13} />}
            onClick={() => show({ from: undefined, to: undefined })}
          >
            Back to {ranges[range].text.toLowerCase()}
          </Button>
        </div>
      ) : null}
    </>
  );
}

const typingMs = 250;
const foundMax = 20;

/** Finds a webinar by words of its title. The value is its id. */
function WebinarFilter({ value: webinar, onChange }: FilterProps) {
  const trpc = useTRPC();
  const [typed, setTyped] = useState('');
  const [wanted] = useDebouncedValue(typed.trim(), typingMs);
  const chosen = useQuery(
    trpc.webinars.get.queryOptions(
      { webinarId: webinar ?? '' },
      // An archived webinar keeps its revenue, and the API does not show it.
      { enabled: webinar !== undefined, staleTime: 60_000, retry: false },
    ),
  ).data?.data;
  const name = chosen?.title ?? (webinar === undefined ? '' : `…${webinar.slice(-12)}`);
  const found = useQuery(
    trpc.webinars.find.queryOptions(
      // The chosen title is in the field until the reader types another one.
      { limit: foundMax, ...(wanted !== '' && wanted !== name && { q: wanted }) },
      { placeholderData: keepPreviousData },
    ),
  ).data?.data;
  const options = new Map(found?.map(({ id, title }) => [id, title]));
  if (webinar !== undefined) options.set(webinar, name);
  return (
    <Select
      label="Webinar"
      placeholder="All webinars"
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'All webinars' }}
      // The service has searched already.
      filter={({ options: given }) => given}
      nothingFoundMessage="No such webinar"
      data={[...options].map(([value, label]) => ({ value, label }))}
      value={webinar ?? null}
      onSearchChange={setTyped}
      onChange={(id) => onChange(id ?? undefined)}
    />
  );
}
