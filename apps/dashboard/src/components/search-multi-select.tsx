import './choices.css';
import { MultiSelect, type MultiSelectProps } from '@mantine/core';
import { useState } from 'react';
import { createFilter, takeEnter } from './search-select.tsx';

type SearchMultiSelectProps = Omit<MultiSelectProps, 'filter' | 'searchValue' | 'onSearchChange'>;

/** Several choices, otherwise as `SearchSelect`. A text is not taken when the field is left. */
export function SearchMultiSelect(props: SearchMultiSelectProps) {
  const [typed, setTyped] = useState('');
  return (
    <MultiSelect
      {...props}
      searchable
      searchValue={typed}
      onSearchChange={setTyped}
      filter={createFilter()}
      selectFirstOptionOnChange={typed.trim() !== ''}
      onKeyDown={takeEnter}
    />
  );
}
