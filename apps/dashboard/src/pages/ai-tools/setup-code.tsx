import { Button, Text } from '@mantine/core';
import { IconExternalLink } from '@service/icons';
import { CodeBlock } from '../../components/code-block.tsx';
import { CopyButton } from '../../components/copy.tsx';
import styles from './ai-tools.module.css';
import type { ClientSetup } from './client-setups.ts';

interface SetupCodeProps {
  setup: ClientSetup;
  /** The client, for screen readers. */
  name: string;
  /** The configuration has a placeholder for the key, so a link that needs the key is not shown. */
  isIncomplete?: boolean;
}

/** The steps and the configuration of a client, and the link that opens the client. */
export function SetupCode({ setup, name, isIncomplete = false }: SetupCodeProps) {
  const { steps, code, after, link } = setup;
  const kind = kindOf(code);
  return (
    <div>
      {steps.map((step) => (
        <p key={step}>{step}</p>
      ))}
      <CodeBlock
        text={code}
        label={kind === 'address' ? 'Address' : `Configuration of ${name}`}
        testId="ai-setup"
      />
      <div className={styles['actions']}>
        <CopyButton text={code} label={`Copy ${kind}`} />
        {link && !(isIncomplete && link.hasKey) ? (
          <Button
            component="a"
            href={link.href}
            variant="default"
            leftSection={<IconExternalLink size={14} aria-hidden />}
            // In this tab, the browser would ask whether to leave the page with the new key.
            target="_blank"
            rel="noreferrer"
          >
            {link.label}
          </Button>
        ) : null}
        {link?.hasKey && !isIncomplete ? (
          <Text size="xs" c="dimmed">
            The link contains the key, because {name} does not ask for one. Do not pass it on.
          </Text>
        ) : null}
      </div>
      {after === undefined ? null : <p className={styles['after']}>{after}</p>}
    </div>
  );
}

function kindOf(code: string): 'address' | 'configuration' | 'command' {
  if (URL.canParse(code)) return 'address';
  return code.startsWith('{') ? 'configuration' : 'command';
}
