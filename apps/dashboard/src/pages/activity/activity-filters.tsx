import { CloseButton, Select, TextInput } from '@mantine/core';
import { allSurfaces, surfaces } from '@service/catalogue';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ActivitySearch } from './search.ts';
import { useTRPC } from '../../trpc.ts';
import styles from './activity-filters.module.css';
import { useActivitySearch } from './use-activity-search.ts';

const surfaceFilters = [
  { value: 'all' as const, label: 'All' },
  ...allSurfaces.map((value) => ({ value, label: surfaces[value].tag })),
];

export const rangeTexts: Record<NonNullable<ActivitySearch['range']>, string> = {
  last_hour: 'Last hour',
  last_24_hours: 'Last 24 hours',
  last_7_days: 'Last 7 days',
  last_30_days: 'Last 30 days',
  last_90_days: 'Last 90 days',
};

const ranges = Object.entries(rangeTexts).map(([value, label]) => ({
  value: value as keyof typeof rangeTexts,
  label,
}));

const statuses = [
  { value: 'all', label: 'All' },
  { value: 'success', label: 'Success' },
  { value: 'failure', label: 'Failure' },
] as const;

const wholeTime = { from: undefined, to: undefined };

export function ActivityFilters() {
  const { search, show } = useActivitySearch();
  return (
    <search className={styles['filters']} aria-label="Filters">
      <Select
        label="Surface"
        allowDeselect={false}
        data={surfaceFilters}
        value={search.surface ?? 'all'}
        onChange={(surface) => show({ surface: surface === 'all' ? undefined : (surface ?? undefined) })}
      />
      <Select
        label="Time range"
        allowDeselect={false}
        data={ranges}
        value={search.range ?? 'last_24_hours'}
        onChange={(range) =>
          show({ ...wholeTime, range: range === 'last_24_hours' ? undefined : (range ?? undefined) })
        }
      />
      <KeySelect keyId={search.key} onChange={(key) => show({ key })} />
      <Select
        label="Status"
        allowDeselect={false}
        data={statuses}
        value={search.status ?? 'all'}
        onChange={(status) => show({ status: status === 'all' ? undefined : (status ?? undefined) })}
      />
      <SearchInput
        label="Error code"
        placeholder="validation_failed"
        value={search.code}
        onChange={(code) => show({ code: code?.toLowerCase() })}
      />
      <SearchInput
        label="Request id"
        placeholder="X-Request-Id"
        value={search.request}
        onChange={(request) => show({ request })}
      />
    </search>
  );
}

interface KeySelectProps {
  keyId: string | undefined;
  onChange: (keyId: string | undefined) => void;
}

/** Keys with calls, revoked keys included. */
function KeySelect({ keyId, onChange }: KeySelectProps) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.activity.keys.queryOptions());
  const keys = data?.data ?? [];
  const labels = keys.map(({ id, label }) => ({
    value: id,
    // Several keys may have the same label. The end of the id distinguishes them.
    label: keys.some((other) => other.id !== id && other.label === label)
      ? `${label} …${id.slice(-4)}`
      : label,
  }));
  const isUnknown = keyId !== undefined && !keys.some(({ id }) => id === keyId);
  return (
    <Select
      label="API key"
      allowDeselect={false}
      searchable={keys.length > 8}
      nothingFoundMessage="No such key"
      data={[
        { value: 'all', label: 'All keys' },
        ...labels,
        ...(isUnknown ? [{ value: keyId, label: `…${keyId.slice(-12)}` }] : []),
      ]}
      value={keyId ?? 'all'}
      onChange={(id) => onChange(id === 'all' || id === null ? undefined : id)}
    />
  );
}

interface SearchInputProps {
  label: string;
  placeholder: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

/** Searches on Enter and when the field loses the focus, not at every character. */
function SearchInput({ label, placeholder, value, onChange }: SearchInputProps) {
  const [typed, setTyped] = useState<string>();
  const shown = typed ?? value ?? '';
  const apply = (text: string) => {
    const wanted = text.trim() || undefined;
    if (wanted !== value) onChange(wanted);
    setTyped(undefined);
  };
  return (
    <form
      className={styles['request']}
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
