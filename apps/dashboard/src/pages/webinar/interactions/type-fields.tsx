import { Button, Checkbox, Group, Input, Select, Stack, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { InteractionType } from '@service/webinars/inputs';
import { IconArrowDown, IconArrowUp, IconPlus, IconX } from '@service/icons';
import type { ComponentType } from 'react';
import { PositionField } from '../../../components/number-field.tsx';
import { SearchSelect } from '../../../components/search-select.tsx';
import { currencies } from '../../../money.ts';
import { urlProps, type Field } from '../fields.ts';
import { IconAction } from '../icon-actions.tsx';
import { createOption, type InteractionValues } from './form-values.ts';

export interface FieldsProps {
  form: UseFormReturnType<InteractionValues>;
  field: Field;
}

/** The fields that only one type of interaction has. */
export const fieldsByType: Readonly<Record<InteractionType, ComponentType<FieldsProps>>> = {
  offer: OfferFields,
  cta: ButtonFields,
  poll: PollFields,
  handout: HandoutFields,
  chat: ({ field }) => <TextInput {...field('authorName')} autoComplete="off" maxLength={100} />,
};

function ButtonFields({ field }: FieldsProps) {
  return (
    <>
      <TextInput {...field('buttonLabel')} autoComplete="off" maxLength={100} />
      <TextInput
        {...field('url')}
        {...urlProps}
        label="Opens this URL"
        placeholder="https://example.com/checkout"
      />
    </>
  );
}

function OfferFields({ form, field }: FieldsProps) {
  return (
    <>
      <ButtonFields form={form} field={field} />
      <Group gap="sm" align="flex-start" grow>
        <TextInput {...field('priceMinor')} inputMode="decimal" autoComplete="off" placeholder="No price" />
        <SearchSelect
          {...field('currency')}
          data={currencies()}
          clearable
          placeholder="Choose"
          nothingFoundMessage="No such currency"
          value={form.values.currency || null}
          onChange={(currency) => form.setFieldValue('currency', currency ?? '')}
        />
      </Group>
      <Group gap="sm" align="flex-start" grow>
        <PositionField
          {...field('countdownSeconds')}
          example="10:00"
          description="From the moment it appears."
          placeholder="None"
        />
        <TextInput
          {...field('couponCode')}
          description="Shown on the card."
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          autoComplete="off"
        />
      </Group>
      <TextInput {...field('imageUrl')} {...urlProps} placeholder="None" />
      <Textarea
        {...field('productRefs')}
        description="Ids in your shop, one in each line. Sales of them count for this offer."
        autosize
        minRows={1}
        maxRows={6}
      />
    </>
  );
}

function HandoutFields({ field }: FieldsProps) {
  return (
    <>
      <TextInput
        {...field('url')}
        {...urlProps}
        label="File URL"
        placeholder="https://example.com/slides.pdf"
      />
      <TextInput {...field('fileName')} placeholder="slides.pdf" autoComplete="off" maxLength={255} />
    </>
  );
}

const resultTexts = [
  { value: 'after_vote', label: 'After they have answered' },
  { value: 'live', label: 'All the time, live' },
  { value: 'never', label: 'Never' },
];

function PollFields({ form, field }: FieldsProps) {
  return (
    <>
      <PollOptions form={form} />
      <Checkbox {...field('multiple', 'checkbox')} label="Attendees can choose more than one answer" />
      <Select {...field('results')} data={resultTexts} allowDeselect={false} />
    </>
  );
}

/** The bounds of the API. */
const optionsMin = 2;
const optionsMax = 10;

/** The answers of a poll, in their order. */
function PollOptions({ form }: Pick<FieldsProps, 'form'>) {
  const { options } = form.values;
  const move = (from: number, to: number) => form.reorderListItem('options', { from, to });
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
              <IconAction
                icon={IconArrowUp}
                label={`Move ${name} up`}
                mt={4}
                disabled={index === 0}
                onClick={() => move(index, index - 1)}
              />
              <IconAction
                icon={IconArrowDown}
                label={`Move ${name} down`}
                mt={4}
                disabled={index === options.length - 1}
                onClick={() => move(index, index + 1)}
              />
              <IconAction
                icon={IconX}
                label={`Remove ${name}`}
                mt={4}
                disabled={options.length <= optionsMin}
                onClick={() => form.removeListItem('options', index)}
              />
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
