import { Button, Select, TextInput } from '@mantine/core';
import { allSkipReasons, skipReasons } from '@service/catalogue';
import { IconFilterOff } from '@service/icons';
import { ChoiceFilter } from '../../../components/choice-filter.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { Section } from '../../../components/section.tsx';
import { useRetention } from '../../../retention.ts';
import { useRules } from '../../source/use-sources.ts';
import type { AutomationsSearch } from '../search.ts';
import { useAutomationsSearch } from '../use-tab-search.ts';
import styles from './automations.module.css';
import { ExecutionList } from './execution-list.tsx';
import { RegistrationPicker } from './registration-picker.tsx';
import { executionsCall } from './use-executions.ts';

const noFilters = {
  of: undefined,
  outcome: undefined,
  reason: undefined,
  registration: undefined,
  from: undefined,
  to: undefined,
} satisfies AutomationsSearch;

/** Every evaluation of the rules of the webinar. The filters are in the URL. */
export function ExecutionsView() {
  const { webinarId, search, show } = useAutomationsSearch();
  const kept = useRetention()?.history;
  const { of: ruleId, outcome, reason: skipReason, registration: registrationId, from, to } = search;
  const filter = { ruleId, outcome, skipReason, registrationId, from, to };
  const isFiltered = Object.keys(noFilters).some(
    (key) => search[key as keyof typeof noFilters] !== undefined,
  );
  const clear = (
    <Button variant="default" leftSection={<IconFilterOff size={14} />} onClick={() => show(noFilters)}>
      Clear filters
    </Button>
  );
  return (
    <Section
      title="Executions"
      text={`Each evaluation of a rule, newest first: whether it fired, and why not.${kept ? ` Kept ${kept}.` : ''}`}
      action={isFiltered ? clear : null}
      apiCall={executionsCall(webinarId, filter)}
      exported={{ list: ruleId ? 'rule-executions' : 'executions', input: { webinarId, ...filter } }}
    >
      <ExecutionFilters />
      <ExecutionList
        webinarId={webinarId}
        {...filter}
        openId={search.execution}
        onOpen={(execution) => show({ execution })}
        empty={
          isFiltered ? (
            <EmptyState icon={IconFilterOff} title="No execution matches" action={clear}>
              Without an execution the rule was not evaluated: the event has not happened, or the rule was off
              or made later. Open the rule and choose the attendee to see which.
            </EmptyState>
          ) : undefined
        }
      />
    </Section>
  );
}

function ExecutionFilters() {
  const { webinarId, search, show } = useAutomationsSearch();
  const rules = useRules(webinarId).data?.data ?? [];
  const isDeleted = search.of !== undefined && !rules.some(({ id }) => id === search.of);
  return (
    <search className={styles['filters']} aria-label="Filters">
      <ChoiceFilter
        label="Rule"
        searchable
        choices={[
          ...rules.map(({ id, name }) => ({ value: id, label: name })),
          ...(isDeleted ? [{ value: search.of!, label: 'A deleted rule' }] : []),
        ]}
        value={search.of}
        onChange={(of) => show({ of })}
      />
      <ChoiceFilter
        label="Outcome"
        choices={[
          { value: 'matched', label: 'Fired' },
          { value: 'skipped', label: 'Did not fire' },
        ]}
        value={search.outcome}
        onChange={(chosen) => show({ outcome: chosen, reason: undefined })}
      />
      <Select
        label="Reason"
        clearable
        placeholder="All"
        disabled={search.outcome === 'matched'}
        data={allSkipReasons.map((value) => ({ value, label: skipReasons[value].title }))}
        value={search.reason ?? null}
        onChange={(chosen) => show({ reason: chosen ?? undefined })}
      />
      <RegistrationPicker
        webinarId={webinarId}
        label="Attendee"
        value={search.registration}
        onChange={(registration) => show({ registration })}
      />
      <TimeInput label="From" value={search.from} onChange={(from) => show({ from })} />
      <TimeInput label="To" value={search.to} onChange={(to) => show({ to })} />
    </search>
  );
}

interface TimeInputProps {
  label: string;
  /** ISO 8601. */
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

/** A time on the reader's clock. */
function TimeInput({ label, value, onChange }: TimeInputProps) {
  return (
    <TextInput
      type="datetime-local"
      label={label}
      value={value === undefined ? '' : localText(value)}
      onChange={(event) => {
        const time = Date.parse(event.currentTarget.value);
        onChange(Number.isNaN(time) ? undefined : new Date(time).toISOString());
      }}
    />
  );
}

/** "2026-12-01T17:00" on the reader's clock. */
function localText(iso: string): string {
  const date = new Date(iso);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
