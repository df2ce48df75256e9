import type { ComboboxItem, ComboboxItemGroup } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { listAll } from '../list-all.ts';
import { useTRPC, useTRPCClient, type Interaction } from '../trpc.ts';
import { SearchSelect, type SearchSelectProps } from './search-select.tsx';

type Choice<Value extends string> = ComboboxItem<Value> | ComboboxItemGroup<ComboboxItem<Value>>;

export interface FilterProps<Value extends string = string> {
  /** Undefined for all. */
  value: Value | undefined;
  onChange: (value: Value | undefined) => void;
}

interface ChoiceFilterProps<Value extends string>
  extends
    FilterProps<Value>,
    Omit<SearchSelectProps<Value | 'all'>, 'data' | 'value' | 'onChange' | 'allowDeselect'> {
  choices: readonly Choice<Value>[];
}

/** A filter of a list: one of the choices, or all. A value without a choice is the id of a deleted record. */
export function ChoiceFilter<Value extends string>({
  choices,
  value,
  onChange,
  searchable = false,
  ...props
}: ChoiceFilterProps<Value>) {
  const known = choices.flatMap((choice) => ('group' in choice ? choice.items : choice));
  const isUnknown = value !== undefined && !known.some((choice) => choice.value === value);
  const unknown = isUnknown ? [{ value, label: `…${value.slice(-12)}` }] : [];
  return (
    <SearchSelect<Value | 'all'>
      {...props}
      searchable={searchable}
      data={[{ value: 'all', label: 'All' }, ...choices, ...unknown]}
      value={value ?? 'all'}
      onChange={(chosen) => onChange(chosen === 'all' || chosen === null ? undefined : chosen)}
    />
  );
}

interface InteractionFilterProps extends FilterProps {
  label: string;
  webinarId: string;
  types: readonly Interaction['type'][];
}

/** One interaction of a webinar, or all of them. The value is its id. */
export function InteractionFilter({ label, webinarId, types, value, onChange }: InteractionFilterProps) {
  const trpc = useTRPC();
  const { interactions } = useTRPCClient();
  // A list with closed filters does not wait for them.
  const [isOpened, setIsOpened] = useState(value !== undefined);
  // The key of the other lists of all interactions, which share this query.
  const { data } = useQuery({
    enabled: isOpened,
    queryKey: [...trpc.interactions.pathKey(), 'all', webinarId],
    queryFn: ({ signal }) => listAll((page) => interactions.list.query({ webinarId, ...page }, { signal })),
  });
  const found = data?.filter(({ type }) => types.includes(type)) ?? [];
  return (
    <ChoiceFilter
      label={label}
      searchable={found.length > 8}
      nothingFoundMessage="No such interaction"
      choices={found.map(({ id, internalName }) => ({ value: id, label: internalName }))}
      value={value}
      onDropdownOpen={() => setIsOpened(true)}
      onChange={onChange}
    />
  );
}
