import { Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { useState } from 'react';
import { CodeBlock } from '../../../components/code-block.tsx';
import { CopyButton } from '../../../components/copy.tsx';
import { Notice } from '../../../components/notice.tsx';
import { VerifySamples } from '../../source/verify-samples.tsx';

export interface NewSecret {
  /** The name of the subscription. */
  name: string;
  secret: string;
}

/** The only place that shows the secret of a subscription. */
export function NewSecretPanel({ created, onDone }: { created: NewSecret; onDone: () => void }) {
  const [isStored, setIsStored] = useState(false);
  // Back, a link or closing the tab would lose the secret without a warning.
  useBlocker({ shouldBlockFn: () => !isStored, enableBeforeUnload: () => !isStored });
  return (
    <Stack gap="md">
      <Notice tone="warn">
        <strong>This secret is shown only once.</strong> Store it where your endpoint can read it. If it is
        lost, rotate the secret.
      </Notice>
      <div>
        <Group justify="space-between" mb={6} wrap="nowrap">
          <Text size="sm" fw={550} truncate title={created.name}>
            {created.name}
          </Text>
          <CopyButton text={created.secret} label="Copy secret" variant="filled" data-autofocus />
        </Group>
        <CodeBlock text={created.secret} label="Signing secret" testId="new-secret" />
      </div>
      <VerifySamples />
      <Group justify="space-between" mt={4}>
        <Checkbox
          label="I have stored this secret"
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
