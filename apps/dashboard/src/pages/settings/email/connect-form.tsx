import { Select, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { isEqual } from '../../../record-form/edits.ts';
import { useTRPC, useTRPCClient, type Connected, type MailSender } from '../../../trpc.ts';
import { sendersQuery } from '../connections/connection-texts.ts';
import { CredentialForm } from '../connections/credential-form.tsx';
import { ProviderAnswer } from '../connections/credential-forms.tsx';
import { MailFields, mailInput, mailPaths } from './mail-fields.tsx';

/** The form, then the provider's answer. */
export function ConnectForm({ onClose }: { onClose: () => void }) {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(sendersQuery(trpc));
  const [provider, setProvider] = useState<string>('smtp');
  const [connected, setConnected] = useState<Connected>();
  if (connected) return <ProviderAnswer connected={connected} onClose={onClose} />;
  if (error) return <FailureNotice error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={420} aria-busy />;
  const sender = data.data.find((one) => one.provider === provider) ?? data.data[0]!;
  return (
    <Stack gap="md">
      <Select
        label="Provider"
        data={data.data.map((one) => ({ value: one.provider, label: one.name }))}
        value={sender.provider}
        allowDeselect={false}
        data-autofocus
        autoFocus
        onChange={(value) => setProvider(value ?? 'smtp')}
      />
      <SenderForm key={sender.provider} sender={sender} onConnected={setConnected} onClose={onClose} />
    </Stack>
  );
}

interface SenderFormProps {
  sender: MailSender;
  onConnected: (connected: Connected) => void;
  onClose: () => void;
}

function SenderForm({ sender, onConnected, onClose }: SenderFormProps) {
  const { connections } = useTRPCClient();
  const first = { name: sender.name, fromName: '', fromAddress: '', replyTo: '' };
  const [mail, setMail] = useState(first);
  return (
    <CredentialForm
      provider={sender}
      submit="Connect"
      send={(input) =>
        connections.connect.mutate({ ...input, provider: sender.provider, ...mailInput(mail) })
      }
      onConnected={onConnected}
      onClose={onClose}
      paths={mailPaths}
      isChanged={!isEqual(mail, first)}
    >
      {(errors) => (
        <>
          <MailFields values={mail} errors={errors} onChange={setMail} />
          <Text size="xs" c="dimmed">
            {sender.name} is asked before anything is saved. Later, only the last four characters of the
            secret are shown.
          </Text>
        </>
      )}
    </CredentialForm>
  );
}
