import { Select, Switch, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { FieldRow } from '../../../components/section.tsx';
import { labelToKey } from './label-to-key.ts';
import { fieldTypes, type FormFieldValues, type PageValues } from './page-values.ts';

interface FieldEditorProps {
  form: UseFormReturnType<PageValues>;
  index: number;
  field: FormFieldValues;
}

export function FieldEditor({ form, index, field }: FieldEditorProps) {
  const at = `registrationForm.fields.${index}` as const;
  const label = form.getInputProps(`${at}.label`);
  const key = form.getInputProps(`${at}.key`);
  const rename = (typed: string) => {
    label.onChange(typed);
    // The key of a saved field stays, since answers and integrations refer to it.
    if (field.isNew) form.setFieldValue(`${at}.key`, labelToKey(typed, otherKeys(form, index)));
  };
  return (
    <>
      <FieldRow>
        <TextInput
          label="Label"
          autoComplete="off"
          {...label}
          onChange={({ currentTarget }) => rename(currentTarget.value)}
        />
        <Select
          label="Type"
          data={[...fieldTypes]}
          allowDeselect={false}
          {...form.getInputProps(`${at}.type`)}
        />
      </FieldRow>
      {field.type === 'select' ? (
        <Textarea
          label="Options"
          description="One on each line."
          autosize
          minRows={3}
          maxRows={12}
          data-path={`${at}.options`}
          error={firstError(form.errors, `${at}.options`)}
          value={field.options.join('\n')}
          onChange={({ currentTarget }) =>
            form.setFieldValue(`${at}.options`, currentTarget.value.split('\n'))
          }
        />
      ) : null}
      <TextInput
        label="Key"
        description="The name of the answer in customFields, for webhooks and the API. If you change it, integrations must follow."
        autoComplete="off"
        spellCheck={false}
        {...key}
        onChange={({ currentTarget }) => {
          key.onChange(currentTarget.value);
          form.setFieldValue(`${at}.isNew`, false);
        }}
      />
      <Switch label="Required" {...form.getInputProps(`${at}.required`, { type: 'checkbox' })} />
    </>
  );
}

const otherKeys = ({ values }: UseFormReturnType<PageValues>, index: number): Set<string> =>
  new Set(values.registrationForm.fields.filter((_field, other) => other !== index).map(({ key }) => key));

/** The message of a list or of one of its entries. */
const firstError = (errors: Record<string, unknown>, path: string): string | undefined => {
  const found = Object.entries(errors).find(([at]) => at === path || at.startsWith(`${path}.`));
  return found ? String(found[1]) : undefined;
};
