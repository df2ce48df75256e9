import { useQuery } from '@tanstack/react-query';
import { ChoiceFilter } from '../../components/choice-filter.tsx';
import { FilterBar, SearchFilter } from '../../components/filter-bar.tsx';
import { InteractionFilter } from '../../components/interaction-filter.tsx';
import { useTRPC } from '../../trpc.ts';
import { sourceText, stateStyles, typeTexts } from './revenue-texts.ts';
import { eventTypes, paymentStates } from './search.ts';
import type { SearchProps } from './time-filters.tsx';

const typeOptions = eventTypes.map((value) => ({ value, label: typeTexts[value] }));
const stateOptions = paymentStates.map((value) => ({ value, label: stateStyles[value].word }));
const creditOptions = [
  { value: 'yes' as const, label: 'Attributed' },
  { value: 'no' as const, label: 'Unattributed' },
];

const offerTypes = ['offer'] as const;

/** The filters of the ledger. They are in the URL. */
export function EventFilters({ search, show }: SearchProps) {
  return (
    <FilterBar>
      <ChoiceFilter
        label="Type"
        choices={typeOptions}
        value={search.type}
        onChange={(type) => show({ type })}
      />
      <SourceFilter source={search.source} onChange={(source) => show({ source })} />
      <ChoiceFilter
        label="Payment"
        choices={stateOptions}
        value={search.state}
        onChange={(state) => show({ state })}
      />
      <ChoiceFilter
        label="Credit"
        choices={creditOptions}
        value={search.attributed}
        onChange={(attributed) => show({ attributed })}
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
    <ChoiceFilter
      label="Source"
      choices={known.map((value) => ({ value, label: sourceText(value) }))}
      value={source}
      onChange={onChange}
    />
  );
}
