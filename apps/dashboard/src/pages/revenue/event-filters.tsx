import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { FilterBar, SearchFilter } from '../../components/filter-bar.tsx';
import { InteractionFilter } from '../../components/interaction-filter.tsx';
import { useTRPC } from '../../trpc.ts';
import { sourceText, stateStyles, typeTexts } from './revenue-texts.ts';
import { eventTypes, paymentStates } from './search.ts';
import type { SearchProps } from './time-filters.tsx';

const all = 'all' as const;
const anyOption = { value: all, label: 'All' };

const typeOptions = [anyOption, ...eventTypes.map((value) => ({ value, label: typeTexts[value] }))];
const stateOptions = [
  anyOption,
  ...paymentStates.map((value) => ({ value, label: stateStyles[value].word })),
];
const creditOptions = [
  anyOption,
  { value: 'yes' as const, label: 'Attributed' },
  { value: 'no' as const, label: 'Unattributed' },
];

const offerTypes = ['offer'] as const;

/** Undefined for "All". */
const chosen = <Value extends string>(value: Value | null): Exclude<Value, typeof all> | undefined =>
  value === all || value === null ? undefined : (value as Exclude<Value, typeof all>);

/** The filters of the ledger. They are in the URL. */
export function EventFilters({ search, show }: SearchProps) {
  return (
    <FilterBar>
      <Select
        label="Type"
        allowDeselect={false}
        data={typeOptions}
        value={search.type ?? all}
        onChange={(type) => show({ type: chosen(type) })}
      />
      <SourceFilter source={search.source} onChange={(source) => show({ source })} />
      <Select
        label="Payment"
        allowDeselect={false}
        data={stateOptions}
        value={search.state ?? all}
        onChange={(state) => show({ state: chosen(state) })}
      />
      <Select
        label="Credit"
        allowDeselect={false}
        data={creditOptions}
        value={search.attributed ?? all}
        onChange={(attributed) => show({ attributed: chosen(attributed) })}
      />
      {search.webinar === undefined ? null : (
        <InteractionFilter
          label="Offer"
          webinarId={search.webinar}
          types={offerTypes}
          value={search.offer}
          onChange={(offer) => show({ offer })}
        />
      )}
      <SearchFilter
        label="E-mail"
        placeholder="Whole address"
        value={search.email}
        onChange={(email) => show({ email: email?.toLowerCase() })}
      />
    </FilterBar>
  );
}

interface SourceFilterProps {
  source: string | undefined;
  onChange: (source: string | undefined) => void;
}

function SourceFilter({ source, onChange }: SourceFilterProps) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.revenueSources.list.queryOptions());
  const names = data?.data.map(({ provider }) => provider) ?? [];
  const known = source === undefined || names.includes(source) ? names : [...names, source];
  return (
    <Select
      label="Source"
      allowDeselect={false}
      data={[anyOption, ...known.map((value) => ({ value, label: sourceText(value) }))]}
      value={source ?? all}
      onChange={(value) => onChange(chosen(value))}
    />
  );
}
