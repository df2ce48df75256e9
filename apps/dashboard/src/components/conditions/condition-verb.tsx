import {
  conditionFieldOf,
  conditionVerbs,
  type ConditionField,
  type ConditionVerb,
} from '@service/catalogue';
import { Select } from '@mantine/core';
import type { ConditionPartProps } from './condition-field.tsx';
import { verbOf, type Condition } from './condition-text.ts';

/** The comparison. For a field that is true or false it is the answer itself. */
export function ConditionVerbSelect({ condition, name, onChange, error }: ConditionPartProps) {
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
function withVerb(condition: Condition, verb: ConditionVerb, { kind }: ConditionField): Condition {
  const { field, value } = condition;
  if (kind === 'flag') return { field, operator: 'eq', value: verb === 'eq' };
  if (verb === 'exists' || verb === 'absent') return { field, operator: 'exists', value: verb === 'exists' };
  return { field, operator: verb, value: converted(value, { verb, kind }) };
}

function converted(
  value: Condition['value'],
  { verb, kind }: { verb: ConditionVerb; kind: ConditionField['kind'] },
): Condition['value'] {
  if (kind === 'answer')
    return typeof value === 'object' && !Array.isArray(value) ? value : { interactionId: '', optionId: '' };
  const texts = [value].flat().filter((one) => typeof one === 'string' && one !== '') as string[];
  if (verb === 'in') return texts;
  const isNumber = kind === 'number' || verb === 'gte' || verb === 'lte';
  if (isNumber) return typeof value === 'number' ? value : '';
  return typeof value === 'number' ? String(value) : (texts[0] ?? '');
}
