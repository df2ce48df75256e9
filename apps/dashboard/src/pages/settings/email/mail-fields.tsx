// The name of a connection and the addresses of its e-mails: the fields, and the form that changes them.
import { TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { DialogForm } from '../../../components/dialog-form.tsx';
import { FieldRow } from '../../../components/section.tsx';
import { failureOf, fieldErrors } from '../../../failure.ts';
import { useTRPCClient } from '../../../trpc.ts';
import { useConnectionsChanged, type ChangeFormProps } from '../connections/connection-texts.ts';

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

/** Changes the name and the addresses of a connection. */
export function SettingsForm({ connection, onClose }: ChangeFormProps) {
  const { connections } = useTRPCClient();
  const changed = useConnectionsChanged();
  const { from, replyTo } = connection.settings;
  const [mail, setMail] = useState({
    name: connection.name,
    fromName: from?.name ?? '',
    fromAddress: from?.address ?? '',
    replyTo: replyTo ?? '',
  });
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => connections.changeSettings.mutate({ connectionId: connection.id, ...mailInput(mail) }),
    onSuccess: async () => {
      await changed();
      onClose();
    },
  });
  return (
    <DialogForm
      error={error}
      shownPaths={mailPaths}
      submit="Save"
      isPending={isPending}
      onSubmit={() => mutate()}
      onCancel={onClose}
    >
      <MailFields
        values={mail}
        errors={error ? fieldErrors(failureOf(error), mailPaths) : {}}
        onChange={setMail}
      />
    </DialogForm>
  );
}
