import { Select, type ComboboxItem, type ComboboxItemGroup, type SelectProps } from '@mantine/core';

type Choice<Value extends string> = ComboboxItem<Value> | ComboboxItemGroup<ComboboxItem<Value>>;

interface ChoiceFilterProps<Value extends string> extends Omit<
  SelectProps<Value | 'all'>,
  'data' | 'value' | 'onChange' | 'allowDeselect'
> {
  choices: readonly Choice<Value>[];
  /** Undefined for all. */
  value: Value | undefined;
  onChange: (value: Value | undefined) => void;
}

/** A filter of a list: one of the choices, or all. */
export const ChoiceFilter = <Value extends string>({
  choices,
  value,
  onChange,
  ...props
}: ChoiceFilterProps<Value>) => (
  <Select<Value | 'all'>
    {...props}
    allowDeselect={false}
    data={[{ value: 'all', label: 'All' }, ...choices]}
    value={value ?? 'all'}
    onChange={(chosen) => onChange(chosen === 'all' || chosen === null ? undefined : chosen)}
  />
);
