import { CloseButton, Select, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { InteractionFilter } from '../../components/interaction-filter.tsx';
import { useTRPC } from '../../trpc.ts';
import filterStyles from '../delivery/delivery-filters.module.css';
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
    <search className={filterStyles['filters']} aria-label="Filters">
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
      <EmailFilter email={search.email} onChange={(email) => show({ email })} />
    </search>
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

interface EmailFilterProps {
  email: string | undefined;
  onChange: (email: string | undefined) => void;
}

/** Searches on Enter and when the field loses the focus, because only a whole address is found. */
function EmailFilter({ email, onChange }: EmailFilterProps) {
  const [typed, setTyped] = useState<string>();
  const shown = typed ?? email ?? '';
  const apply = (text: string) => {
    const wanted = text.trim().toLowerCase() || undefined;
    if (wanted !== email) onChange(wanted);
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
        label="E-mail"
        placeholder="ada@example.com"
        maxLength={320}
        spellCheck={false}
        autoComplete="off"
        leftSection={<IconSearch size={14} />}
        rightSection={
          shown === '' ? null : (
            <CloseButton size="sm" aria-label="Clear the e-mail" onClick={() => apply('')} />
          )
        }
        value={shown}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onBlur={() => apply(shown)}
      />
    </form>
  );
}
