import '../choices.css';
import { conditionFieldOf, type Condition, type ConditionField } from '@service/conditions';
import { NumberInput, Select, TagsInput, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { SearchMultiSelect } from '../search-multi-select.tsx';
import { SearchSelect } from '../search-select.tsx';
import type { ConditionPartProps } from './condition-field.tsx';
import { namesOf, type WebinarRecords } from './use-names.ts';

/** The control for the value. `exists`, and a field that is true or false, have none. */
export function ConditionValue({ condition, name, records, onChange, error }: ConditionPartProps) {
  const { field, operator, value } = condition;
  const record = conditionFieldOf(field);
  if (!record || operator === 'exists' || record.kind === 'flag') return null;
  const set = (next: Condition['value']) => onChange({ ...condition, value: next });
  const typed = typeof value === 'string' ? value : '';
  const common = { 'aria-label': `${name}: value`, error };
  if (record.kind === 'answer')
    return <AnswerSelects value={value} onChange={set} name={name} records={records} error={error} />;
  if (record.kind === 'number' || operator === 'gte' || operator === 'lte') {
    return (
      <NumberInput
        {...common}
        value={typeof value === 'number' ? value : ''}
        suffix={record.label.includes('percent') ? ' %' : undefined}
        onChange={set}
      />
    );
  }
  const choices = choicesOf(record, { records, chosen: [value].flat().map(String) });
  if (operator === 'in') {
    const chosen = Array.isArray(value) ? value : [];
    return choices ? (
      <SearchMultiSelect
        {...common}
        data={choices}
        value={chosen}
        onChange={set}
        placeholder={chosen.length > 0 ? undefined : 'Choose'}
      />
    ) : (
      <TagsInput
        {...common}
        value={chosen}
        onChange={set}
        acceptValueOnBlur
        placeholder={chosen.length > 0 ? undefined : 'Type a value, then Enter'}
      />
    );
  }
  return choices ? (
    <SearchSelect
      {...common}
      data={choices}
      value={typed || null}
      onChange={(next) => set(next ?? '')}
      placeholder="Choose"
      nothingFoundMessage="Nothing to choose. Add it to the webinar first."
    />
  ) : (
    <TextInput
      {...common}
      autoComplete="off"
      value={typed}
      onChange={(event) => set(event.currentTarget.value)}
    />
  );
}

/** The values that can be chosen. Undefined for a text. A deleted one that is chosen stays in the list, named as deleted. */
function choicesOf(
  { kind, choices, interactionTypes = [] }: ConditionField,
  { records, chosen }: { records: WebinarRecords; chosen: readonly string[] },
) {
  if (kind === 'choice') return Object.entries(choices ?? {}).map(([value, label]) => ({ value, label }));
  if (kind !== 'ids') return undefined;
  const names = namesOf(records);
  const known = (records.interactions ?? []).filter(({ type }) =>
    interactionTypes.some((one) => one === type),
  );
  const others = chosen.filter((id) => id !== '' && !known.some((one) => one.id === id));
  return [
    ...known.map(({ id, internalName }) => ({ value: id, label: internalName })),
    ...others.map((id) => ({ value: id, label: names.interaction(id).text })),
  ];
}

interface AnswerSelectsProps {
  value: Condition['value'];
  onChange: (value: Condition['value']) => void;
  name: string;
  records: WebinarRecords;
  error: ReactNode;
}

function AnswerSelects({ value, onChange, name, records, error }: AnswerSelectsProps) {
  const { interactionId, optionId } = toAnswer(value);
  const polls = (records.interactions ?? []).filter((one) => one.type === 'poll');
  const poll = polls.find(({ id }) => id === interactionId);
  const names = namesOf(records);
  const pollChoices = polls.map(({ id, internalName }) => ({ value: id, label: internalName }));
  const optionChoices = poll?.options.map(({ id, label }) => ({ value: id, label })) ?? [];
  const withChosen = (choices: { value: string; label: string }[], chosen: string, label: string) =>
    chosen === '' || choices.some((one) => one.value === chosen)
      ? choices
      : [...choices, { value: chosen, label }];
  return (
    <>
      <SearchSelect
        aria-label={`${name}: poll`}
        placeholder="Choose a poll"
        data={withChosen(pollChoices, interactionId, names.interaction(interactionId).text)}
        value={interactionId || null}
        onChange={(chosen) => onChange({ interactionId: chosen ?? '', optionId: '' })}
        nothingFoundMessage="This webinar has no poll"
        error={interactionId === '' ? error : undefined}
      />
      <Select
        aria-label={`${name}: answer`}
        placeholder="Choose an answer"
        data={withChosen(optionChoices, optionId, names.option(interactionId, optionId).text)}
        value={optionId || null}
        onChange={(chosen) => onChange({ interactionId, optionId: chosen ?? '' })}
        allowDeselect={false}
        disabled={interactionId === ''}
        error={interactionId === '' ? undefined : error}
      />
    </>
  );
}

const toAnswer = (value: Condition['value']) =>
  typeof value === 'object' && !Array.isArray(value) ? value : { interactionId: '', optionId: '' };
