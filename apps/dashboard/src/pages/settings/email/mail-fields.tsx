// Fields that the forms of connections share, and their values.
import { NativeSelect, TextInput } from '@mantine/core';
import { FieldRow } from '../../../components/section.tsx';
import { PasswordField } from '../../../components/password-field.tsx';
import type { MailSender } from '../../../trpc.ts';

export interface MailValues {
  name: string;
  fromName: string;
  fromAddress: string;
  replyTo: string;
}

/** By the name of the field. A field that is left empty is not sent. */
export type CredentialValues = Readonly<Record<string, string>>;

export const mailPaths = ['name', 'from.name', 'from.address', 'replyTo'];

export const credentialPaths = ({ fields }: Pick<MailSender, 'fields'>): string[] => [
  ...fields.map(({ name }) => `credential.${name}`),
  'baseUrl',
];

export const credentialInput = (values: CredentialValues): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value.trim() === '' ? [] : [[name, value.trim()]])),
  );

export const mailInput = ({ name, fromName, fromAddress, replyTo }: MailValues) => ({
  name: name.trim(),
  from: { name: fromName.trim(), address: fromAddress.trim() },
  replyTo: replyTo.trim() || null,
});

interface MailFieldsProps {
  values: MailValues;
  /** By path. */
  errors: Readonly<Record<string, string>>;
  onChange: (values: MailValues) => void;
}

/** The name of the connection and the addresses of its e-mails. */
export function MailFields({ values, errors, onChange }: MailFieldsProps) {
  const field = (name: keyof MailValues, path: string) => ({
    value: values[name],
    error: errors[path],
    maxLength: 254,
    autoComplete: 'off',
    onChange: (event: { currentTarget: { value: string } }) =>
      onChange({ ...values, [name]: event.currentTarget.value }),
  });
  return (
    <>
      <FieldRow>
        <TextInput label="From name" placeholder="Ada from Example" {...field('fromName', 'from.name')} />
        <TextInput
          label="From address"
          type="email"
          placeholder="webinars@example.com"
          {...field('fromAddress', 'from.address')}
        />
      </FieldRow>
      <FieldRow>
        <TextInput
          label="Replies to"
          type="email"
          placeholder="The From address"
          {...field('replyTo', 'replyTo')}
        />
        <TextInput label="Name of the connection" {...field('name', 'name')} />
      </FieldRow>
    </>
  );
}

interface CredentialFieldsProps {
  sender: MailSender;
  values: CredentialValues;
  baseUrl: string;
  /** By path. */
  errors: Readonly<Record<string, string>>;
  onChange: (values: CredentialValues) => void;
  onBaseUrl: (baseUrl: string) => void;
}

/** The fields that a sender needs, from its own description. */
export function CredentialFields({
  sender,
  values,
  baseUrl,
  errors,
  onChange,
  onBaseUrl,
}: CredentialFieldsProps) {
  return (
    <>
      {sender.fields.map(({ name, label, placeholder, help, isSecret, isRequired, kind, choices }) => {
        const field = {
          label,
          description: help,
          error: errors[`credential.${name}`],
          required: isRequired,
          value: values[name] ?? '',
          autoComplete: 'off',
          spellCheck: false,
          onChange: (event: { currentTarget: { value: string } }) =>
            onChange({ ...values, [name]: event.currentTarget.value }),
        };
        if (isSecret) return <PasswordField key={name} {...field} placeholder={placeholder} />;
        if (kind === 'choice') return <NativeSelect key={name} {...field} data={['', ...choices]} />;
        return (
          <TextInput
            key={name}
            {...field}
            placeholder={placeholder}
            inputMode={kind === 'number' ? 'numeric' : undefined}
          />
        );
      })}
      {sender.hasBaseUrl ? (
        <TextInput
          label="API address"
          description={`Only for a region or a service that is compatible with ${sender.name}.`}
          placeholder="https://"
          error={errors['baseUrl']}
          value={baseUrl}
          autoComplete="off"
          onChange={(event) => onBaseUrl(event.currentTarget.value)}
        />
      ) : null}
    </>
  );
}
