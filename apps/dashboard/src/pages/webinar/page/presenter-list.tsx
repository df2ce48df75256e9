import { Button, Group, Text, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { IconPlus, IconTrash } from '@service/icons';
import { useRef } from 'react';
import styles from '../../../components/item-list.module.css';
import { FieldRow } from '../../../components/section.tsx';
import { urlProps } from '../fields.ts';
import { IconAction } from '../icon-actions.tsx';
import type { PageValues } from './page-values.ts';

const presentersMax = 12;
const path = 'registrationPage.presenters';

/** The people who present, in their order. */
export function PresenterList({ form }: { form: UseFormReturnType<PageValues> }) {
  const { presenters } = form.values.registrationPage;
  const addButton = useRef<HTMLButtonElement>(null);
  const remove = (index: number) => {
    form.removeListItem(path, index);
    addButton.current?.focus();
  };
  return (
    <div>
      <Text size="sm" fw={550} mb={6}>
        Presenters
      </Text>
      <ol className={styles['list']}>
        {presenters.map(({ name }, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- a presenter has no id, and the name changes while it is typed
          <li key={index} className={styles['item']}>
            <Group justify="space-between" gap="xs" wrap="nowrap">
              <Text size="sm" fw={550} className={styles['name']}>
                {name || `Presenter ${index + 1}`}
              </Text>
              <IconAction
                icon={IconTrash}
                label={`Remove: ${name || `Presenter ${index + 1}`}`}
                iconSize={16}
                onClick={() => remove(index)}
              />
            </Group>
            <FieldRow>
              <TextInput label="Name" autoComplete="off" {...form.getInputProps(`${path}.${index}.name`)} />
              <TextInput
                label="Role or company"
                autoComplete="off"
                {...form.getInputProps(`${path}.${index}.title`)}
              />
            </FieldRow>
            <TextInput
              label="Picture URL"
              {...urlProps}
              {...form.getInputProps(`${path}.${index}.imageUrl`)}
            />
          </li>
        ))}
      </ol>
      <Button
        ref={addButton}
        variant="default"
        mt={presenters.length > 0 ? 'xs' : 0}
        leftSection={<IconPlus size={15} />}
        data-path={path}
        disabled={presenters.length >= presentersMax}
        onClick={() => form.insertListItem(path, { name: '', title: '', imageUrl: '' })}
      >
        Add a presenter
      </Button>
    </div>
  );
}
