// The name of a connection and the addresses of its e-mails, for its forms.
import { TextInput } from '@mantine/core';
import { FieldRow } from '../../../components/section.tsx';

export interface MailValues {
  name: string;
  fromName: string;
  fromAddress: string;
  replyTo: string;
}

export const mailPaths = ['name', 'from.name', 'from.address', 'replyTo'];

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
