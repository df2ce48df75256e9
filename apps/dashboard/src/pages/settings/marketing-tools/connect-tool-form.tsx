import { Select, Skeleton, Stack, Switch, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { DialogForm } from '../../../components/dialog-form.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { failureOf, fieldErrors } from '../../../failure.ts';
import { useTRPCClient, type Connected, type MarketingTool } from '../../../trpc.ts';
import { useWorkspace } from '../../../workspace.ts';
import { useConnectionsChanged } from '../connections/connection-texts.ts';
import {
  CredentialFields,
  credentialInput,
  credentialPaths,
  toolToProvider,
  type CredentialValues,
} from '../connections/credential-fields.tsx';
import { ProviderAnswer } from '../connections/credential-forms.tsx';
import { inStepText, useTools } from './tools.ts';

/** The form, then the tool's answer and the way to the settings of the connection. */
export function ConnectToolForm({ onClose }: { onClose: () => void }) {
  const { tools, error, refetch } = useTools();
  const { workspace } = useWorkspace();
  const navigate = useNavigate();
  const [provider, setProvider] = useState<string>();
  const [connected, setConnected] = useState<Connected>();
  if (connected) {
    const { id: connectionId } = connected.connection;
    return (
      <ProviderAnswer
        connected={connected}
        done="Open its settings"
        onClose={() =>
          void navigate({
            to: '/w/$workspaceId/settings/marketing-tools/$connectionId',
            params: { workspaceId: workspace.id, connectionId },
          })
        }
      >
        <Text size="sm">{inStepText(connected.connection)}</Text>
      </ProviderAnswer>
    );
  }
  if (error) return <FailureNotice error={error} onRetry={() => void refetch()} />;
  if (!tools) return <Skeleton height={320} aria-busy />;
  const tool = tools.find((one) => one.provider === provider) ?? tools[0]!;
  return (
    <Stack gap="md">
      <Select
        label="Tool"
        data={tools.map((one) => ({ value: one.provider, label: one.name }))}
        value={tool.provider}
        allowDeselect={false}
        data-autofocus
        autoFocus
        onChange={(value) => setProvider(value ?? undefined)}
      />
      <CredentialForm key={tool.provider} tool={tool} onConnected={setConnected} onClose={onClose} />
    </Stack>
  );
}

interface CredentialFormProps {
  tool: MarketingTool;
  onConnected: (connected: Connected) => void;
  onClose: () => void;
}

function CredentialForm({ tool, onConnected, onClose }: CredentialFormProps) {
  const { connections } = useTRPCClient();
  const changed = useConnectionsChanged();
  const [credential, setCredential] = useState<CredentialValues>({});
  const [baseUrl, setBaseUrl] = useState('');
  const [keepsInStep, setKeepsInStep] = useState(true);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      connections.connectTool.mutate({
        provider: tool.provider,
        credential: credentialInput(credential),
        baseUrl: baseUrl.trim() || null,
        sync: keepsInStep ? 'all' : 'none',
      }),
    // The input contains the credential.
    gcTime: 0,
    onSuccess: async ({ data }) => {
      onConnected(data);
      await changed();
    },
  });
  const provider = toolToProvider(tool);
  const paths = credentialPaths(provider);
  return (
    <DialogForm
      error={error}
      shownPaths={paths}
      submit="Connect"
      isPending={isPending}
      onSubmit={() => mutate()}
      onCancel={onClose}
    >
      <CredentialFields
        provider={provider}
        values={credential}
        baseUrl={baseUrl}
        errors={error ? fieldErrors(failureOf(error), paths) : {}}
        onChange={setCredential}
        onBaseUrl={setBaseUrl}
      />
      <Switch
        label="Keep every registrant in step"
        description={`What registrants do goes to ${tool.name} within seconds. You choose the ${tool.words.field.toLowerCase()} for each value later.`}
        checked={keepsInStep}
        onChange={(event) => setKeepsInStep(event.currentTarget.checked)}
      />
      <Text size="xs" c="dimmed">
        {tool.name} is asked before anything is saved. Later, only the last four characters of the key are
        shown.
      </Text>
    </DialogForm>
  );
}
