import { ActionIcon, Button, Input, Select, Text } from '@mantine/core';
import {
  conditionFieldOf,
  conditionsMax,
  conditionVerbs,
  verbOf,
  type Condition,
  type ConditionField as CatalogueField,
  type ConditionVerb,
} from '@service/conditions';
import { IconPlus, IconX } from '@service/icons';
import { useRef, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { ConditionField, type ConditionPartProps } from './condition-field.tsx';
import { ConditionValue } from './condition-value.tsx';
import rowStyles from '../field-rows.module.css';
import styles from './conditions-input.module.css';
import { useWebinarRecords } from './use-names.ts';

interface ConditionsInputProps {
  webinarId: string;
  /** Conditions as the service takes them. One that is not filled in yet has empty texts, which the service refuses. */
  value: readonly Condition[];
  onChange: (value: Condition[]) => void;
  /** An error of the whole list. */
  error?: ReactNode;
  /** All errors of the form. Those below `path` are shown at their fields. */
  errors?: Readonly<Record<string, ReactNode>>;
  path?: string;
  /** The most conditions that the service takes here. */
  max?: number;
  label?: string;
}

const blank: Condition = { field: '', operator: 'eq', value: '' };

/** A list of conditions. Each has a field, a comparison and a value. All of them must be met. */
export function ConditionsInput(props: ConditionsInputProps) {
  const { webinarId, value, onChange, error, errors = {}, path = 'conditions', max = conditionsMax } = props;
  const { label = 'Conditions' } = props;
  const records = useWebinarRecords(webinarId);
  const list = useRef<HTMLFieldSetElement>(null);
  const add = useRef<HTMLButtonElement>(null);
  const replace = (at: number, condition: Condition) =>
    onChange(value.map((one, index) => (index === at ? condition : one)));
  const remove = (at: number) => {
    onChange(value.filter((_one, index) => index !== at));
    add.current?.focus();
  };
  const append = () => {
    // At once: after the next paint the person may be in another field already.
    flushSync(() => onChange([...value, blank]));
    list.current?.querySelector<HTMLInputElement>('[data-condition]:last-of-type input')?.focus();
  };
  return (
    <div>
      <fieldset ref={list} className={styles['list']} aria-label={label}>
        {value.map((condition, index) => {
          const name = `Condition ${index + 1}`;
          const errorAt = (key: keyof Condition) =>
            problemOf(condition, key, errors[`${path}.${index}.${key}`]);
          const row = { condition, name, records, onChange: (next: Condition) => replace(index, next) };
          return (
            // oxlint-disable-next-line react/no-array-index-key -- conditions have no identity
            <div key={index} className={rowStyles['row']} role="group" aria-label={name} data-condition>
              <ConditionField {...row} error={errorAt('field')} />
              <ConditionVerbSelect {...row} error={errorAt('operator')} />
              <div className={rowStyles['value']}>
                <ConditionValue
                  {...row}
                  error={errorAt('value') ?? nestedError(errors, `${path}.${index}.value.`)}
                />
              </div>
              <ActionIcon
                className={rowStyles['remove']}
                aria-label={`Remove ${name.toLowerCase()}`}
                onClick={() => remove(index)}
              >
                <IconX size={15} />
              </ActionIcon>
            </div>
          );
        })}
      </fieldset>
      {error ? <Input.Error>{error}</Input.Error> : null}
      <Button
        ref={add}
        variant="default"
        mt={value.length > 0 ? 4 : 0}
        leftSection={<IconPlus size={14} />}
        disabled={value.length >= max}
        onClick={append}
      >
        Add condition
      </Button>
      {value.length >= max ? (
        <Text size="xs" c="dimmed" mt={4}>
          This is the limit of {max} conditions.
        </Text>
      ) : null}
    </div>
  );
}

/** The service's message about an empty value lists every kind of value, which is no help. */
function problemOf({ field, value }: Condition, key: keyof Condition, error: ReactNode): ReactNode {
  if (!error) return undefined;
  if (key === 'field' && field === '') return 'Choose a field.';
  if (key === 'value') {
    if (field === '') return undefined;
    if (value === '' || (Array.isArray(value) && value.length === 0)) return 'Give a value.';
    if (typeof value === 'object' && 'optionId' in value && value.optionId === '') return 'Choose an answer.';
  }
  return error;
}

const nestedError = (errors: Readonly<Record<string, ReactNode>>, prefix: string): ReactNode =>
  Object.entries(errors).find(([path, error]) => path.startsWith(prefix) && Boolean(error))?.[1];

/** The comparison. For a field that is true or false it is the answer itself. */
function ConditionVerbSelect({ condition, name, onChange, error }: ConditionPartProps) {
  const record = conditionFieldOf(condition.field);
  if (!record) return <span />;
  const choose = (verb: string | null) =>
    verb === null ? undefined : onChange(withVerb(condition, verb as ConditionVerb, record));
  return (
    <Select
      aria-label={`${name}: comparison`}
      allowDeselect={false}
      data={Object.keys(record.phrases).map((verb) => ({
        value: verb,
        label: record.kind === 'flag' ? flagTexts[verb]! : conditionVerbs[verb as ConditionVerb],
      }))}
      value={verbOf(condition, record)}
      onChange={choose}
      error={error}
    />
  );
}

const flagTexts: Readonly<Record<string, string>> = { eq: 'yes', neq: 'no' };

/** The condition with another comparison. Its value is kept if the comparison takes values of that kind. */
function withVerb(condition: Condition, verb: ConditionVerb, { kind }: CatalogueField): Condition {
  const { field, value } = condition;
  if (kind === 'flag') return { field, operator: 'eq', value: verb === 'eq' };
  if (verb === 'exists' || verb === 'absent') return { field, operator: 'exists', value: verb === 'exists' };
  return { field, operator: verb, value: converted(value, { verb, kind }) };
}

function converted(
  value: Condition['value'],
  { verb, kind }: { verb: ConditionVerb; kind: CatalogueField['kind'] },
): Condition['value'] {
  if (kind === 'answer')
    return typeof value === 'object' && !Array.isArray(value) ? value : { interactionId: '', optionId: '' };
  const texts = [value].flat().filter((one) => typeof one === 'string' && one !== '') as string[];
  if (verb === 'in') return texts;
  const isNumber = kind === 'number' || verb === 'gte' || verb === 'lte';
  if (isNumber) return typeof value === 'number' ? value : '';
  return typeof value === 'number' ? String(value) : (texts[0] ?? '');
}
