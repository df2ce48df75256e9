import { Button, Checkbox, Select, TextInput, Title } from '@mantine/core';
import { SettingsGroup } from '../../../components/section.tsx';
import styles from './form-preview.module.css';
import type { FormFieldValues, PageValues } from './page-values.ts';

interface FormPreviewProps {
  form: PageValues['registrationForm'];
  /** The title that attendees see. */
  title: string;
}

/** The form as an attendee sees it, with the changes that are not saved. It takes no input. */
export const FormPreview = ({ form, title }: FormPreviewProps) => (
  <SettingsGroup
    title="Preview"
    text="As an attendee sees the form, with the changes that you have not saved yet."
  >
    <div className={styles['preview']} inert data-testid="form-preview">
      <Title order={3}>{title}</Title>
      <TextInput label="Name" />
      <TextInput label="E-mail address" />
      {form.fields.map((field, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- the preview has no state
        <PreviewField key={index} field={field} />
      ))}
      {form.consentText.trim() === '' ? null : <Checkbox label={form.consentText} />}
      <Button>Register</Button>
    </div>
  </SettingsGroup>
);

function PreviewField({ field: { label, type, required, options } }: { field: FormFieldValues }) {
  const shown = `${label || 'Without a label'}${required ? '' : ' (optional)'}`;
  if (type === 'checkbox') return <Checkbox label={shown} />;
  if (type === 'select')
    return <Select label={shown} placeholder="Choose" data={[...new Set(options.filter(Boolean))]} />;
  return <TextInput label={shown} />;
}
