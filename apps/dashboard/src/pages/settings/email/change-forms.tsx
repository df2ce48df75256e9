// Forms that change a connection, loaded when the first one opens.
import { Skeleton, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { DialogForm } from '../../../components/dialog-form.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { failureOf, fieldErrors } from '../../../failure.ts';
import { useTRPC, useTRPCClient, type Connected, type Connection, type MailSender } from '../../../trpc.ts';
import { ProviderAnswer } from './connect-form.tsx';
import { useConnectionsChanged } from './connection-texts.ts';
import {
  CredentialFields,
  credentialInput,
  credentialPaths,
  MailFields,
  mailInput,
  mailPaths,
  type CredentialValues,
} from './mail-fields.tsx';

interface ChangeFormProps {
  connection: Connection;
  onClose: () => void;
}

/** Takes another credential for a connection. The former one sends until the provider has accepted the new one. */
export function ReplaceForm({ connection, onClose }: ChangeFormProps) {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(
    trpc.connections.senders.queryOptions(undefined, { staleTime: Infinity }),
  );
  if (error) return <FailureNotice error={error} onRetry={() => void refetch()} />;
  const sender = data?.data.find(({ provider }) => provider === connection.provider);
  if (!sender) return <Skeleton height={240} aria-busy />;
  return <NewCredential sender={sender} connection={connection} onClose={onClose} />;
}

function NewCredential({ sender, connection, onClose }: ChangeFormProps & { sender: MailSender }) {
  const { connections } = useTRPCClient();
  const changed = useConnectionsChanged();
  const [credential, setCredential] = useState<CredentialValues>({});
  const [baseUrl, setBaseUrl] = useState(connection.settings.baseUrl ?? '');
  const [connected, setConnected] = useState<Connected>();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      connections.replaceCredential.mutate({
        connectionId: connection.id,
        credential: credentialInput(credential),
        baseUrl: baseUrl.trim() || null,
      }),
    // The input contains the credential.
    gcTime: 0,
    onSuccess: async ({ data }) => {
      setConnected(data);
      await changed();
    },
  });
  if (connected) return <ProviderAnswer connected={connected} onClose={onClose} />;
  const paths = credentialPaths(sender);
  return (
    <DialogForm
      error={error}
      shownPaths={paths}
      submit="Replace"
      isPending={isPending}
      onSubmit={() => mutate()}
      onCancel={onClose}
    >
      <Text size="sm">
        {sender.name} is asked first. Until it has accepted the new credential, e-mails are sent with the
        former one.
      </Text>
      <CredentialFields
        sender={sender}
        values={credential}
        baseUrl={baseUrl}
        errors={error ? fieldErrors(failureOf(error), paths) : {}}
        onChange={setCredential}
        onBaseUrl={setBaseUrl}
      />
    </DialogForm>
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
