import { Button, Select } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import filterStyles from '../../components/filter-bar.module.css';
import styles from './revenue.module.css';
import { defaultRange, ranges, reportRange, type Range } from './filters.ts';
import type { RevenueSearch } from './search.ts';
import { formatDays } from './days.ts';
import { WebinarFilter } from './webinar-filter.tsx';

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
          webinar={search.webinar}
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
