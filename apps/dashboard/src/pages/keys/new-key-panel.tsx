import { Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { useState } from 'react';
import { CodeBlock } from '../../components/code-block.tsx';
import { CopyButton } from '../../components/copy.tsx';
import { Notice } from '../../components/notice.tsx';
import type { CreatedApiKey } from '../../trpc.ts';
import { firstCall } from './first-call.ts';

/** The only place that shows the full key. */
export function NewKeyPanel({ created, onDone }: { created: CreatedApiKey; onDone: () => void }) {
  const [isStored, setIsStored] = useState(false);
  const curl = firstCall(created, window.location.origin);
  // Back, a link or closing the tab would lose the key without a warning.
  useBlocker({ shouldBlockFn: () => !isStored, enableBeforeUnload: () => !isStored });
  return (
    <Stack gap="md">
      <Notice tone="warn">
        <strong>This key is shown only once.</strong> Store it in your secret manager now. The service stores
        only its hash and cannot show it again.
      </Notice>
      <div>
        <Group justify="space-between" mb={6}>
          <Text size="sm" fw={550}>
            {created.label}
          </Text>
          <CopyButton text={created.key} label="Copy key" variant="filled" data-autofocus />
        </Group>
        <CodeBlock text={created.key} label="The full key" testId="new-key" />
      </div>
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
      <Group justify="space-between" mt={4}>
        <Checkbox
          label="I have stored this key"
          checked={isStored}
          onChange={(event) => setIsStored(event.currentTarget.checked)}
        />
        <Button disabled={!isStored} onClick={onDone}>
          Done
        </Button>
      </Group>
    </Stack>
  );
}
