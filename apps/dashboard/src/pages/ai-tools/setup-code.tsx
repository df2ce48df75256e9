import { Button, Text } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { CodeBlock } from '../../components/code-block.tsx';
import { CopyButton } from '../../components/copy.tsx';
import styles from './ai-tools.module.css';
import { keyPlaceholder, setupOf, type McpAccess } from './client-setup.ts';
import { clientLabels, type KeyClient } from './clients.ts';

interface SetupCodeProps {
  client: KeyClient;
  access: McpAccess;
}

/** The configuration of a client, and the link that opens the client with it. */
export function SetupCode({ client, access }: SetupCodeProps) {
  const { steps, code, link } = setupOf[client](access);
  const hasKey = access.key !== keyPlaceholder;
  return (
    <div>
      {steps.map((step) => (
        <Text key={step} size="sm" mb={8} maw={640}>
          {step}
        </Text>
      ))}
      <CodeBlock text={code} label={`Configuration of ${clientLabels[client]}`} testId="ai-setup" />
      <div className={styles['actions']}>
        <CopyButton text={code} label="Copy configuration" />
        {link && (hasKey || !link.hasKey) ? (
          <Button
            component="a"
            href={link.href}
            variant="default"
            leftSection={<IconExternalLink size={14} aria-hidden />}
          >
            {link.label}
          </Button>
        ) : null}
        {link?.hasKey && hasKey ? (
          <Text size="xs" c="dimmed">
            The link contains the key, because Cursor does not ask for one. Do not pass it on.
          </Text>
        ) : null}
      </div>
    </div>
  );
}
