import { Checkbox, Select, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Webinar } from '../../../trpc.ts';

interface CustomFieldProps {
  field: Webinar['registrationForm']['fields'][number];
  value?: string;
  onChange: (value: string) => void;
  onBlur?: () => void;
  error?: ReactNode;
}

const inputTypes = { text: 'text', email: 'email', phone: 'tel' } as const;

/** A field of the registration form, by its type. A checkbox answers "true", or nothing. */
export function CustomField({ field, value = '', onChange, onBlur, error }: CustomFieldProps) {
  const { type, required, options } = field;
  const label = required ? field.label : `${field.label} (optional)`;
  if (type === 'checkbox') {
    return (
      <Checkbox
        label={label}
        checked={value === 'true'}
        onChange={(event) => onChange(event.currentTarget.checked ? 'true' : '')}
        onBlur={onBlur}
        error={error}
      />
    );
  }
  if (type === 'select') {
    return (
      <Select
        label={label}
        placeholder="Choose"
        clearable={!required}
        data={options}
        value={value === '' ? null : value}
        onChange={(chosen) => onChange(chosen ?? '')}
        onBlur={onBlur}
        error={error}
      />
    );
  }
  return (
    <TextInput
      label={label}
      type={inputTypes[type]}
      autoComplete="off"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      onBlur={onBlur}
      error={error}
    />
  );
}
