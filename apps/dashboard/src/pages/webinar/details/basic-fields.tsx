import { Select, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { NumberField } from '../../../components/number-field.tsx';
import { FieldRow, SettingsGroup } from '../../../components/section.tsx';
import { allTimeZones } from '../../../zoned-time.ts';
import { detailsLabels as labels, type DetailsValues } from './details-values.ts';
import { languageOptions } from './languages.ts';

export interface DetailsFieldsProps {
  form: UseFormReturnType<DetailsValues>;
}

const kinds = [
  { value: 'standard', label: 'Standard: one video for all viewers' },
  { value: 'adaptive', label: 'Adaptive: the path depends on the viewer' },
];

export function BasicFields({ form }: DetailsFieldsProps) {
  const { slug, locale, timezone } = form.values;
  return (
    <>
      <SettingsGroup
        title="Name"
        text="The title is for your team and for webhooks. Attendees see the public title."
      >
        <TextInput label={labels['title']} autoComplete="off" {...form.getInputProps('title')} />
        <TextInput
          label={labels['publicTitle']}
          description="Without one, attendees see the title."
          placeholder={form.values.title}
          autoComplete="off"
          {...form.getInputProps('publicTitle')}
        />
        <TextInput
          label={labels['slug']}
          description={`The last part of the address of the registration page: …/${slug || 'product-launch'}. A new one breaks links that people already have.`}
          autoComplete="off"
          spellCheck={false}
          {...form.getInputProps('slug')}
        />
        <Textarea
          label={labels['description']}
          description="Attendees see it on the registration page."
          autosize
          minRows={3}
          maxRows={12}
          {...form.getInputProps('description')}
        />
      </SettingsGroup>
      <SettingsGroup
        title="Format"
        text="Sessions start in this time zone. A new time zone or length changes future sessions without registrations."
      >
        <Select label={labels['kind']} data={kinds} allowDeselect={false} {...form.getInputProps('kind')} />
        <FieldRow>
          <NumberField
            label={labels['durationSeconds']}
            suffix=" min"
            unit={60}
            {...form.getInputProps('durationSeconds')}
          />
          <Select
            label={labels['locale']}
            description="Of the pages that attendees see."
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            data={languageOptions(locale)}
            searchable
            allowDeselect={false}
            nothingFoundMessage="No such language"
            {...form.getInputProps('locale')}
          />
        </FieldRow>
        <Select
          label={labels['timezone']}
          data={[...new Set([timezone, ...allTimeZones()])]}
          searchable
          limit={60}
          allowDeselect={false}
          nothingFoundMessage="No such time zone"
          {...form.getInputProps('timezone')}
        />
      </SettingsGroup>
    </>
  );
}
