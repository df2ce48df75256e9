import { useState } from 'react';
import { ChoiceFilter } from '../../components/choice-filter.tsx';
import { codeClasses } from './search.ts';

interface CodeFilterProps {
  code: string | undefined;
  onChange: (code: string | undefined) => void;
}

const classTexts: Record<(typeof codeClasses)[number], string> = {
  '2xx': '2xx, accepted',
  '3xx': '3xx, redirected',
  '4xx': '4xx, refused',
  '5xx': '5xx, endpoint failed',
  none: 'No answer',
};

const fixed = codeClasses.map((value) => ({ value, label: classTexts[value] }));

const isCode = (text: string): boolean => /^[1-5]\d\d$/.test(text);

/** A class of status codes, or one code that a person types. */
export function CodeFilter({ code, onChange }: CodeFilterProps) {
  const [typed, setTyped] = useState('');
  const exact = [...new Set([code ?? '', typed.trim()])].filter(isCode);
  return (
    <ChoiceFilter
      label="Response code"
      searchable
      nothingFoundMessage="Type a code, such as 410"
      choices={[...fixed, ...exact.map((value) => ({ value, label: value }))]}
      value={code}
      onSearchChange={setTyped}
      onChange={onChange}
    />
  );
}
