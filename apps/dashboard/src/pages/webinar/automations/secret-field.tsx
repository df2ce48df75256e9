import { Button, Group, Title } from '@mantine/core';
import { IconEye, IconEyeOff } from '@tabler/icons-react';
import { useState } from 'react';
import { CodeBlock } from '../../../components/code-block.tsx';
import { CopyButton } from '../../../components/copy.tsx';

const shownLast = 4;

/** Hidden at first, so that a shared screen does not show it. It can be copied while it is hidden. */
export function SecretField({ secret }: { secret: string }) {
  const [isShown, setIsShown] = useState(false);
  const Icon = isShown ? IconEyeOff : IconEye;
  return (
    <section>
      <Group justify="space-between" mb={8}>
        <Title order={3}>Signing secret</Title>
        <Group gap="xs">
          <Button variant="default" leftSection={<Icon size={14} />} onClick={() => setIsShown(!isShown)}>
            {isShown ? 'Hide secret' : 'Reveal secret'}
          </Button>
          <CopyButton text={secret} label="Copy secret" />
        </Group>
      </Group>
      <CodeBlock
        text={isShown ? secret : `whsec_${'•'.repeat(24)}${secret.slice(-shownLast)}`}
        label="Signing secret"
        testId="rule-secret"
      />
    </section>
  );
}
