import { ActionIcon, Button, Group, Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { IconArrowDown, IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react';
import { SettingsGroup } from '../../../components/section.tsx';
import { FieldEditor } from './field-editor.tsx';
import styles from '../../../components/item-list.module.css';
import { newField, type PageValues } from './page-values.ts';

const fieldsMax = 30;
const path = 'registrationForm.fields';

interface FieldListProps {
  form: UseFormReturnType<PageValues>;
}

/** The custom fields in their order. Name and e-mail address are always asked for. */
export function FieldList({ form }: FieldListProps) {
  const { fields } = form.values.registrationForm;
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
                  <ActionIcon
                    aria-label={`Move up: ${name}`}
                    disabled={index === 0}
                    onClick={() => move(index, index - 1)}
                  >
                    <IconArrowUp size={16} />
                  </ActionIcon>
                  <ActionIcon
                    aria-label={`Move down: ${name}`}
                    disabled={index === fields.length - 1}
                    onClick={() => move(index, index + 1)}
                  >
                    <IconArrowDown size={16} />
                  </ActionIcon>
                  <ActionIcon aria-label={`Remove: ${name}`} onClick={() => form.removeListItem(path, index)}>
                    <IconTrash size={16} />
                  </ActionIcon>
                </Group>
              </Group>
              <FieldEditor form={form} index={index} field={field} />
            </li>
          );
        })}
      </ol>
      <div>
        <Button
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
