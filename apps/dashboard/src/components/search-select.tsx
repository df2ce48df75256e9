import {
  getOptionsLockup,
  getParsedComboboxData,
  Select,
  type ComboboxItem,
  type ComboboxParsedItem,
  type OptionsFilter,
  type SelectProps,
} from '@mantine/core';
import { useState, type KeyboardEvent } from 'react';

export interface SearchSelectProps<Value extends string> extends Omit<
  SelectProps<Value>,
  'filter' | 'searchValue' | 'onKeyDown' | 'onOptionSubmit'
> {
  /** The text in which the typed one is searched. The label when left out. */
  textOf?: TextOf<Value>;
}

type TextOf<Value extends string> = (choice: ComboboxItem<Value>) => string;

/**
 * A select in which one types. The first match is marked for Enter. A text that names one choice is taken when the field is left. A
 * select whose choices the service searches is a plain `Select`: its list is of an earlier text for a moment.
 */
export function SearchSelect<Value extends string = string>(props: SearchSelectProps<Value>) {
  const { data = [], value = null, textOf = labelOf, onChange, onBlur, onSearchChange, ...others } = props;
  const choices = getOptionsLockup(getParsedComboboxData(data) as ComboboxParsedItem<Value>[]);
  const chosen = value === null ? '' : (choices[value]?.label ?? '');
  const [typed, setTyped] = useState(chosen);
  const show = (text: string) => {
    setTyped(text);
    onSearchChange?.(text);
  };
  return (
    <Select<Value>
      searchable
      allowDeselect={false}
      {...others}
      data={data}
      value={value}
      onChange={onChange}
      searchValue={typed}
      onSearchChange={show}
      filter={createFilter(textOf)}
      selectFirstOptionOnChange={typed.trim() !== '' && typed !== chosen}
      // Mantine keeps the typed text if the choice is the same as before.
      onOptionSubmit={(submitted) => show(choices[submitted]?.label ?? '')}
      onKeyDown={(event) => {
        takeEnter(event);
        if (event.key === 'Escape') show(chosen);
      }}
      onBlur={(event) => {
        // The field still shows the typed text. Mantine has restored that of the present choice for the next render.
        const named = choiceNamed(event.currentTarget.value, Object.values(choices), textOf);
        if (named && named.value !== value) onChange?.(named.value, named);
        onBlur?.(event);
      }}
    />
  );
}

/** Enter in an open list never sends the form. Mantine prevents it only where an option is marked. */
export function takeEnter(event: KeyboardEvent<HTMLInputElement>): void {
  if (event.key === 'Enter' && event.currentTarget.getAttribute('aria-expanded') === 'true')
    event.preventDefault();
}

/** The choice with this label, or else the only one in whose text it is found. */
export function choiceNamed<Value extends string>(
  text: string,
  choices: readonly ComboboxItem<Value>[],
  textOf: TextOf<Value> = labelOf,
): ComboboxItem<Value> | undefined {
  const wanted = plain(text);
  if (wanted === '') return undefined;
  const found = choices.filter((choice) => !choice.disabled && plain(textOf(choice)).includes(wanted));
  const exact = found.filter(({ label }) => plain(label) === wanted);
  const named = exact.length > 0 ? exact : found;
  return named.length === 1 ? named[0] : undefined;
}

/** Finds the matches, the exact one first. A last entry says that there are more. */
export const createFilter =
  <Value extends string>(textOf: TextOf<Value> = labelOf): OptionsFilter<Value> =>
  ({ options, search, limit }) => {
    const found = matchesOf(options, plain(search), textOf);
    if (found.length <= limit) return found;
    return [...found.slice(0, limit), { value: 'more' as Value, label: 'Type to find more', disabled: true }];
  };

function matchesOf<Value extends string>(
  options: readonly ComboboxParsedItem<Value>[],
  wanted: string,
  textOf: TextOf<Value>,
): ComboboxParsedItem<Value>[] {
  const matches = options.flatMap((option): ComboboxParsedItem<Value>[] => {
    if (!('group' in option)) return plain(textOf(option)).includes(wanted) ? [option] : [];
    const items = matchesOf(option.items, wanted, textOf) as ComboboxItem<Value>[];
    return items.length > 0 ? [{ ...option, items }] : [];
  });
  return matches.toSorted((a, b) => Number(isExact(b, wanted)) - Number(isExact(a, wanted)));
}

const isExact = (option: ComboboxParsedItem, wanted: string): boolean =>
  'group' in option ? option.items.some((item) => isExact(item, wanted)) : plain(option.label) === wanted;

const labelOf = ({ label }: { label: string }): string => label;

/** Names of time zones have underscores for spaces. */
const plain = (text: string): string => text.toLowerCase().replaceAll('_', ' ').trim();
