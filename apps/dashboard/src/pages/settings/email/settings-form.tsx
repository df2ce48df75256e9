import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { DialogForm } from '../../../components/dialog-form.tsx';
import { failureOf, fieldErrors } from '../../../failure.ts';
import { useTRPCClient } from '../../../trpc.ts';
import { useConnectionsChanged, type ChangeFormProps } from '../connections/connection-texts.ts';
import { MailFields, mailInput, mailPaths } from './mail-fields.tsx';

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
