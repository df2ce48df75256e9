import {
  type Condition,
  conditionFieldOf,
  conditionFields,
  customConditionField,
  customFieldPrefix,
  operatorsByKind,
} from '@service/conditions';
import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import rowStyles from '../field-rows.module.css';
import { SearchSelect } from '../search-select.tsx';
import type { WebinarRecords } from './use-names.ts';

export interface ConditionPartProps {
  condition: Condition;
  /** "Condition 2", for the names of its fields. */
  name: string;
  records: WebinarRecords;
  onChange: (condition: Condition) => void;
  error: ReactNode;
}

/** The field of the attendee that is compared. A custom field that is not on the form is typed. */
export function ConditionField({ condition: { field }, name, records, onChange, error }: ConditionPartProps) {
  const { customFields } = records;
  const key = field.startsWith(customFieldPrefix) ? field.slice(customFieldPrefix.length) : undefined;
  const isTyped = key !== undefined && !customFields.has(key);
  const choose = (chosen: string | null) => (chosen === null ? undefined : onChange(conditionOn(chosen)));
  return (
    <div className={rowStyles['value']}>
      <SearchSelect
        aria-label={`${name}: field`}
        placeholder="Choose a field"
        nothingFoundMessage="No such field"
        data={fieldChoices(customFields)}
        value={isTyped ? customFieldPrefix : field || null}
        onChange={choose}
        error={isTyped ? undefined : error}
        description={conditionFieldOf(field)?.help}
        inputWrapperOrder={['input', 'error', 'description']}
      />
      {isTyped ? (
        <TextInput
          aria-label={`${name}: key of the custom field`}
          placeholder="Key, such as company"
          autoComplete="off"
          spellCheck={false}
          value={key}
          onChange={(event) => onChange({ ...conditionOn(customFieldPrefix + event.currentTarget.value) })}
          error={error}
        />
      ) : null}
    </div>
  );
}

/** The fields in groups, in the order of the catalogue. */
function fieldChoices(customFields: ReadonlyMap<string, string>) {
  const choices = Object.entries(conditionFields).map(([value, { label, group }]) => ({
    value,
    label,
    group,
  }));
  const custom = [
    ...[...customFields].map(([key, label]) => ({ value: customFieldPrefix + key, label })),
    { value: customFieldPrefix, label: 'Another custom field…' },
  ];
  return [
    ...Map.groupBy(choices, ({ group }) => group)
      .entries()
      .map(([group, items]) => ({ group, items: items.map(({ value, label }) => ({ value, label })) })),
    { group: customConditionField.group, items: custom },
  ];
}

/** A condition on a field, with the usual operator and no value yet. */
function conditionOn(field: string): Condition {
  const kind = conditionFieldOf(field)?.kind ?? customConditionField.kind;
  const operator = operatorsByKind[kind][0];
  if (kind === 'flag') return { field, operator, value: true };
  return { field, operator, value: kind === 'answer' ? { interactionId: '', optionId: '' } : '' };
}
