import { Group, Text } from '@mantine/core';
import { CodeBlock } from '../../components/code-block.tsx';
import { CopyButton } from '../../components/copy.tsx';
import { ShownOnce } from '../../components/shown-once.tsx';
import type { CreatedApiKey } from '../../trpc.ts';
import { firstCall } from './first-call.ts';

/** A new key with a first call. */
export function NewKeyPanel({ created, onDone }: { created: CreatedApiKey; onDone: () => void }) {
  const curl = firstCall(created, window.location.origin);
  return (
    <ShownOnce
      noun="key"
      advice="Store it in your secret manager now. The service stores only its hash and cannot show it again."
      name={created.label}
      text={created.key}
      label="The full key"
      testId="new-key"
      onDone={onDone}
    >
      {curl ? (
        <div>
          <Group justify="space-between" mb={6}>
            <Text size="sm" fw={550}>
              Try it
            </Text>
            <CopyButton text={curl} label="Copy curl" />
          </Group>
          <CodeBlock text={curl} label="A curl command with the key" testId="new-key-curl" />
        </div>
      ) : (
        <Text size="sm" c="dimmed">
          This key is for AI tools only: enter it in your MCP client as a bearer token. The REST API refuses
          it.
        </Text>
      )}
    </ShownOnce>
  );
}
