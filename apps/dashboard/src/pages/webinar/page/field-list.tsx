import { Button, Group, Select, Switch, Text, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { IconArrowDown, IconArrowUp, IconPlus, IconTrash } from '@service/icons';
import { useRef } from 'react';
import styles from '../../../components/item-list.module.css';
import { FieldRow, SettingsGroup } from '../../../components/section.tsx';
import { firstError } from '../../../zod-form.ts';
import { IconAction } from '../icon-actions.tsx';
import { fieldTypes, labelToKey, newField, type FormFieldValues, type PageValues } from './page-values.ts';

const fieldsMax = 30;
const path = 'registrationForm.fields';

/** The custom fields in their order. Name and e-mail address are always asked for. */
export function FieldList({ form }: { form: UseFormReturnType<PageValues> }) {
  const { fields } = form.values.registrationForm;
  const addButton = useRef<HTMLButtonElement>(null);
  const remove = (index: number) => {
    form.removeListItem(path, index);
    addButton.current?.focus();
  };
  const move = (from: number, to: number) => form.reorderListItem(path, { from, to });
  return (
    <SettingsGroup
      title="Fields of the form"
      text="Every registration has a name and an e-mail address. These fields come after them."
    >
      <ol className={styles['list']}>
        {fields.map((field, index) => {
          const name = field.label || `Field ${index + 1}`;
          return (
            // oxlint-disable-next-line react/no-array-index-key -- a new field has no id, and its key changes while it is typed
            <li key={index} className={styles['item']}>
              <Group justify="space-between" gap="xs" wrap="nowrap">
                <Text size="sm" fw={550} className={styles['name']}>
                  {name}
                </Text>
                <Group gap={4} wrap="nowrap">
                  <IconAction
                    icon={IconArrowUp}
                    label={`Move up: ${name}`}
                    iconSize={16}
                    disabled={index === 0}
                    onClick={() => move(index, index - 1)}
                  />
                  <IconAction
                    icon={IconArrowDown}
                    label={`Move down: ${name}`}
                    iconSize={16}
                    disabled={index === fields.length - 1}
                    onClick={() => move(index, index + 1)}
                  />
                  <IconAction
                    icon={IconTrash}
                    label={`Remove: ${name}`}
                    iconSize={16}
                    onClick={() => remove(index)}
                  />
                </Group>
              </Group>
              <FieldEditor form={form} index={index} field={field} />
            </li>
          );
        })}
      </ol>
      <div>
        <Button
          ref={addButton}
          variant="default"
          leftSection={<IconPlus size={15} />}
          data-path={path}
          disabled={fields.length >= fieldsMax}
          onClick={() => form.insertListItem(path, { ...newField })}
        >
          Add a field
        </Button>
      </div>
    </SettingsGroup>
  );
}

interface FieldEditorProps {
  form: UseFormReturnType<PageValues>;
  index: number;
  field: FormFieldValues;
}

function FieldEditor({ form, index, field }: FieldEditorProps) {
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
