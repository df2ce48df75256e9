// The form that replaces a credential, and the provider's answer. Loaded when the first one opens.
import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { Notice } from '../../../components/notice.tsx';
import { useTRPC, useTRPCClient, type Connected, type Connection } from '../../../trpc.ts';
import { sendersQuery, type ChangeFormProps } from './connection-texts.ts';
import { toolToProvider, type Provider } from './credential-fields.tsx';
import { CredentialForm } from './credential-form.tsx';

/** Takes another credential for a connection. The former one sends until the provider has accepted the new one. */
export function ReplaceForm({ connection, onClose }: ChangeFormProps) {
  const { providers, error, refetch } = useProviders(connection.kind);
  if (error) return <FailureNotice error={error} onRetry={() => void refetch()} />;
  const provider = providers?.find((one) => one.provider === connection.provider);
  if (!provider) return <Skeleton height={240} aria-busy />;
  return <NewCredential provider={provider} connection={connection} onClose={onClose} />;
}

/** The e-mail providers or the marketing tools. */
function useProviders(kind: Connection['kind']) {
  const trpc = useTRPC();
  const senders = useQuery({ ...sendersQuery(trpc), enabled: kind === 'mail' });
  const tools = useQuery(
    trpc.connections.tools.queryOptions(undefined, { staleTime: Infinity, enabled: kind === 'marketing' }),
  );
  const { error, refetch } = kind === 'mail' ? senders : tools;
  const providers: Provider[] | undefined =
    kind === 'mail' ? senders.data?.data : tools.data?.data.map(toolToProvider);
  return { providers, error, refetch };
}

function NewCredential({ provider, connection, onClose }: ChangeFormProps & { provider: Provider }) {
  const { connections } = useTRPCClient();
  const [connected, setConnected] = useState<Connected>();
  if (connected) return <ProviderAnswer connected={connected} onClose={onClose} />;
  return (
    <CredentialForm
      provider={provider}
      savedBaseUrl={connection.settings.baseUrl ?? ''}
      submit="Replace"
      send={(input) => connections.replaceCredential.mutate({ ...input, connectionId: connection.id })}
      onConnected={setConnected}
      onClose={onClose}
      intro={
        <Text size="sm">
          {provider.name} is asked first. Until it has accepted the new credential, the former one is used.
        </Text>
      }
    />
  );
}

/** The provider's answer, after the connection was saved. */
export function ProviderAnswer({
  connected,
  onClose,
  done = 'Done',
  children,
}: {
  connected: Connected;
  onClose: () => void;
  /** The text of the button. */
  done?: string;
  /** Below the answer. */
  children?: ReactNode;
}) {
  const { connection, account, notes } = connected;
  return (
    <Stack gap="md" role="status">
      <Text size="sm">
        {connection.name} has accepted the credential{account === null ? '' : ` of ${account}`}, and it is
        saved.
      </Text>
      {connection.reason === null ? null : <Notice tone="warn">{connection.reason}</Notice>}
      {notes.map((note) => (
        <Notice key={note} tone="warn">
          {note}
        </Notice>
      ))}
      {children}
      <Group justify="flex-end">
        <Button onClick={onClose} autoFocus>
          {done}
        </Button>
      </Group>
    </Stack>
  );
}
