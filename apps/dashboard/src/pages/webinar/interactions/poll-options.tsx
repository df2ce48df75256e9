import { ActionIcon, Button, Group, Input, Stack, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { IconArrowDown, IconArrowUp, IconPlus, IconX } from '@tabler/icons-react';
import { createOption, type InteractionValues } from './form-values.ts';

/** The bounds of the API. */
const optionsMin = 2;
const optionsMax = 10;

/** The answers of a poll, in their order. */
export function PollOptions({ form }: { form: UseFormReturnType<InteractionValues> }) {
  const { options } = form.values;
  const canRemove = options.length > optionsMin;
  return (
    <Input.Wrapper label="Answers" labelElement="div" error={form.errors['options']}>
      <Stack gap={6} role="group" aria-label="Answers">
        {options.map(({ key }, index) => {
          const name = `Answer ${index + 1}`;
          return (
            <Group key={key} gap={4} wrap="nowrap" align="flex-start">
              <TextInput
                flex={1}
                aria-label={name}
                placeholder={name}
                maxLength={200}
                autoComplete="off"
                {...form.getInputProps(`options.${index}.label`)}
              />
              <ActionIcon
                mt={4}
                aria-label={`Move ${name} up`}
                disabled={index === 0}
                onClick={() => form.reorderListItem('options', { from: index, to: index - 1 })}
              >
                <IconArrowUp size={15} />
              </ActionIcon>
              <ActionIcon
                mt={4}
                aria-label={`Move ${name} down`}
                disabled={index === options.length - 1}
                onClick={() => form.reorderListItem('options', { from: index, to: index + 1 })}
              >
                <IconArrowDown size={15} />
              </ActionIcon>
              <ActionIcon
                mt={4}
                aria-label={`Remove ${name}`}
                disabled={!canRemove}
                onClick={() => form.removeListItem('options', index)}
              >
                <IconX size={15} />
              </ActionIcon>
            </Group>
          );
        })}
        {options.length < optionsMax ? (
          <Button
            variant="default"
            leftSection={<IconPlus size={14} />}
            style={{ alignSelf: 'flex-start' }}
            onClick={() => form.insertListItem('options', createOption())}
          >
            Add answer
          </Button>
        ) : (
          <Input.Description>A poll has at most {optionsMax} answers.</Input.Description>
        )}
      </Stack>
    </Input.Wrapper>
  );
}
