import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '../../trpc.ts';

interface WebinarFilterProps {
  webinar: string | undefined;
  onChange: (webinar: string | undefined) => void;
}

const typingMs = 250;
const foundMax = 20;

/** Finds a webinar by words of its title. */
export function WebinarFilter({ webinar, onChange }: WebinarFilterProps) {
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
    trpc.webinars.list.queryOptions(
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
