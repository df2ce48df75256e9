import { Button, Group } from '@mantine/core';
import { isFiltered, noFilters, ranges } from './filters.ts';
import type { SearchProps } from './time-filters.tsx';

/** The ways out of an empty list. */
export function FilterActions({ search, show }: SearchProps) {
  const widest = search.tab === undefined ? 'last_365_days' : 'all_time';
  return (
    <Group gap="xs" justify="center">
      {isFiltered(search) ? <Button onClick={() => show(noFilters)}>Clear filters</Button> : null}
      {search.range === widest ? null : (
        <Button variant="default" onClick={() => show({ range: widest, from: undefined, to: undefined })}>
          Show {ranges[widest].text.toLowerCase()}
        </Button>
      )}
    </Group>
  );
}
