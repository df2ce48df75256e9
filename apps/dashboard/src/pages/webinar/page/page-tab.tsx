import { Button, Checkbox, Group, Select, Switch, Text, Textarea, TextInput, Title } from '@mantine/core';
import { IconExternalLink } from '@service/icons';
import { CodeBlock } from '../../../components/code-block.tsx';
import { CopyButton } from '../../../components/copy.tsx';
import { Notice } from '../../../components/notice.tsx';
import { SettingsGroup } from '../../../components/section.tsx';
import { firstError } from '../../../zod-form.ts';
import type { Webinar } from '../../../trpc.ts';
import { useMails } from '../mails/use-mails.ts';
import { WebinarForm } from '../webinar-form.tsx';
import { FieldList } from './field-list.tsx';
import { embedSnippet, pageAddress } from './page-address.ts';
import styles from './page-tab.module.css';
import { PresenterList } from './presenter-list.tsx';
import { pageLabels, pageOf, pageToFields, type FormFieldValues, type PageValues } from './page-values.ts';

export const PageTab = () => (
  <WebinarForm
    part="page"
    name="Registration page of the webinar"
    labels={pageLabels}
    valuesOf={pageOf}
    fieldsOf={pageToFields}
    describe={describe}
  >
    {({ form, field, webinar }) => (
      <>
        <AddressSection webinar={webinar} />
        <SettingsGroup title="Content" text="Shown beside the title and the description of the webinar.">
          <PresenterList form={form} />
          <Textarea
            {...field('registrationPage.takeaways')}
            description="One point on each line."
            autosize
            minRows={3}
            maxRows={12}
            error={firstError(form.errors, 'registrationPage.takeaways')}
            value={form.values.registrationPage.takeaways.join('\n')}
            onChange={({ currentTarget }) =>
              form.setFieldValue('registrationPage.takeaways', currentTarget.value.split('\n'))
            }
          />
        </SettingsGroup>
        <FieldList form={form} />
        <SettingsGroup title="Consent" text="A checkbox below the fields of the form.">
          <Textarea
            {...field('registrationForm.consentText')}
            description="Without a text there is no checkbox."
            autosize
            minRows={2}
            maxRows={10}
          />
        </SettingsGroup>
        <SettingsGroup
          title="Privacy"
          text="The page shows the join link of a new registration. It never shows the link of a person who is registered already."
        >
          <Switch
            {...field('registrationPage.linksByMailOnly', 'checkbox')}
            description="The page never shows a link, so it does not reveal who is registered. If the confirmation e-mail is off, attendees get no link."
          />
          {form.values.registrationPage.linksByMailOnly ? <NoLinkNotice /> : null}
        </SettingsGroup>
        <FormPreview form={form.values.registrationForm} title={webinar.publicTitle ?? webinar.title} />
      </>
    )}
  </WebinarForm>
);

/** Beside the switch of links that are only mailed: a warning while the confirmation is off. */
function NoLinkNotice() {
  const { mails } = useMails();
  if (!mails || (mails.enabled && mails.kinds.confirmation.enabled)) return null;
  return (
    <Notice tone="warn">
      <Text size="sm">New attendees get no join link, because the confirmation e-mail is off.</Text>
    </Notice>
  );
}

function describe(path: string, value: unknown): string | undefined {
  if (path === 'registrationForm.fields')
    return (value as FormFieldValues[]).map(({ label }) => label).join(', ') || 'no fields';
  if (path === 'registrationPage.presenters')
    return (value as { name: string }[]).map(({ name }) => name).join(', ') || 'no presenters';
  return undefined;
}

/** The address of the page, and the HTML that shows its form on another site. */
function AddressSection({ webinar }: { webinar: Webinar }) {
  const address = pageAddress(webinar);
  const snippet = embedSnippet(address, webinar.publicTitle ?? webinar.title);
  const isPublished = webinar.status === 'published';
  return (
    <SettingsGroup
      title="Address"
      text={
        isPublished
          ? 'Attendees register here. You change the words of the address under Details.'
          : 'Attendees register here after you publish the webinar. You change the words of the address under Details.'
      }
    >
      <Group gap="xs" align="flex-end">
        <TextInput
          label="Registration page"
          style={{ flex: '1 1 280px', minWidth: 0 }}
          readOnly
          value={address}
          onFocus={(event) => event.currentTarget.select()}
        />
        <CopyButton text={address} label="Copy address" />
        {isPublished ? (
          <Button
            component="a"
            variant="default"
            href={address}
            target="_blank"
            rel="noreferrer"
            leftSection={<IconExternalLink size={14} />}
          >
            Open
          </Button>
        ) : null}
      </Group>
      <div>
        <Text size="sm" fw={550}>
          Form on your own site
        </Text>
        <Text size="xs" c="dimmed" mb={6}>
          Paste this HTML where the form should appear. The form grows with its content.
        </Text>
        <CodeBlock text={snippet} label="HTML of the form" />
        <CopyButton text={snippet} label="Copy HTML" mt="xs" />
      </div>
    </SettingsGroup>
  );
}

interface FormPreviewProps {
  form: PageValues['registrationForm'];
  /** The title that attendees see. */
  title: string;
}

/** The form as an attendee sees it, with the changes that are not saved. It takes no input. */
const FormPreview = ({ form, title }: FormPreviewProps) => (
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
