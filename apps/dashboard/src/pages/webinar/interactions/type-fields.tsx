import { Checkbox, Group, Select, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { InteractionType } from '@service/webinars/inputs';
import type { ComponentType } from 'react';
import { PositionField } from '../../../components/number-field.tsx';
import { currencies } from '../../../money.ts';
import type { InteractionValues } from './form-values.ts';
import { PollOptions } from './poll-options.tsx';

interface FieldsProps {
  form: UseFormReturnType<InteractionValues>;
}

/** The fields that only one type of interaction has. */
export const fieldsByType: Readonly<Record<InteractionType, ComponentType<FieldsProps>>> = {
  offer: OfferFields,
  cta: ButtonFields,
  poll: PollFields,
  handout: HandoutFields,
};

const urlProps = {
  placeholder: 'https://example.com/checkout',
  inputMode: 'url',
  autoComplete: 'off',
  spellCheck: false,
} as const;

function ButtonFields({ form }: FieldsProps) {
  return (
    <>
      <TextInput label="Button" autoComplete="off" maxLength={100} {...form.getInputProps('buttonLabel')} />
      <TextInput label="Opens this URL" {...urlProps} {...form.getInputProps('url')} />
    </>
  );
}

function OfferFields({ form }: FieldsProps) {
  return (
    <>
      <ButtonFields form={form} />
      <Group gap="sm" align="flex-start" grow>
        <TextInput
          label="Price"
          inputMode="decimal"
          autoComplete="off"
          placeholder="No price"
          {...form.getInputProps('priceMinor')}
        />
        <Select
          label="Currency"
          data={currencies()}
          searchable
          clearable
          limit={60}
          placeholder="Choose"
          nothingFoundMessage="No such currency"
          {...form.getInputProps('currency')}
          value={form.values.currency || null}
          onChange={(currency) => form.setFieldValue('currency', currency ?? '')}
        />
      </Group>
      <Group gap="sm" align="flex-start" grow>
        <PositionField
          label="Countdown"
          description="From the moment it appears"
          placeholder="None"
          {...form.getInputProps('countdownSeconds')}
        />
        <TextInput
          label="Coupon code"
          description="Shown on the card"
          autoComplete="off"
          {...form.getInputProps('couponCode')}
        />
      </Group>
      <TextInput label="Image URL" {...urlProps} placeholder="None" {...form.getInputProps('imageUrl')} />
      <Textarea
        label="Products"
        description="Ids in your shop, one in each line. Sales of them count for this offer."
        autosize
        minRows={1}
        maxRows={6}
        {...form.getInputProps('productRefs')}
      />
    </>
  );
}

function HandoutFields({ form }: FieldsProps) {
  return (
    <>
      <TextInput
        label="File URL"
        {...urlProps}
        placeholder="https://example.com/slides.pdf"
        {...form.getInputProps('url')}
      />
      <TextInput
        label="File name"
        placeholder="slides.pdf"
        autoComplete="off"
        maxLength={255}
        {...form.getInputProps('fileName')}
      />
    </>
  );
}

const resultTexts = [
  { value: 'after_vote', label: 'After they have answered' },
  { value: 'live', label: 'All the time, live' },
  { value: 'never', label: 'Never' },
];

function PollFields({ form }: FieldsProps) {
  return (
    <>
      <PollOptions form={form} />
      <Checkbox
        label="Attendees can choose more than one answer"
        {...form.getInputProps('multiple', { type: 'checkbox' })}
      />
      <Select
        label="Attendees see the results"
        data={resultTexts}
        allowDeselect={false}
        {...form.getInputProps('results')}
      />
    </>
  );
}
