import { Select, Skeleton, Stack, Switch, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { useTRPCClient, type Connected, type MarketingTool } from '../../../trpc.ts';
import { useWorkspace } from '../../../workspace.ts';
import { toolToProvider } from '../connections/credential-fields.tsx';
import { CredentialForm } from '../connections/credential-form.tsx';
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
      <ToolForm key={tool.provider} tool={tool} onConnected={setConnected} onClose={onClose} />
    </Stack>
  );
}

interface ToolFormProps {
  tool: MarketingTool;
  onConnected: (connected: Connected) => void;
  onClose: () => void;
}

function ToolForm({ tool, onConnected, onClose }: ToolFormProps) {
  const { connections } = useTRPCClient();
  const [keepsInStep, setKeepsInStep] = useState(true);
  return (
    <CredentialForm
      provider={toolToProvider(tool)}
      submit="Connect"
      send={(input) =>
        connections.connectTool.mutate({
          ...input,
          provider: tool.provider,
          sync: keepsInStep ? 'all' : 'none',
        })
      }
      onConnected={onConnected}
      onClose={onClose}
      isChanged={!keepsInStep}
    >
      {() => (
        <>
          <Switch
            label="Keep every registrant in step"
            description={`Sends each action of a registrant to ${tool.name} within seconds. Choose the ${tool.words.field.toLowerCase()} for each value later.`}
            checked={keepsInStep}
            onChange={(event) => setKeepsInStep(event.currentTarget.checked)}
          />
          <Text size="xs" c="dimmed">
            {tool.name} is asked before anything is saved. Later, only the last four characters of the key are
            shown.
          </Text>
        </>
      )}
    </CredentialForm>
  );
}
