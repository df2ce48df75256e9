import { Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { CodeBlock } from './code-block.tsx';
import { CopyButton } from './copy.tsx';
import { Notice } from './notice.tsx';

interface ShownOnceProps {
  /** "key" or "secret" */
  noun: string;
  /** Follows the sentence "This key is shown only once." */
  advice: string;
  /** The name of the key or of its owner. */
  name: string;
  text: string;
  /** Name of the text, for screen readers. */
  label: string;
  testId: string;
  onDone: () => void;
  /** Samples that use it. */
  children?: ReactNode;
}

/** The only place that shows a key or a secret. It cannot be left by mistake before the text is stored. */
export function ShownOnce({ noun, advice, name, text, label, testId, onDone, children }: ShownOnceProps) {
  const [isStored, setIsStored] = useState(false);
  const first = useRef<HTMLDivElement>(null);
  // It takes the place of a form whose focused button is gone.
  useEffect(() => first.current?.querySelector('button')?.focus(), []);
  // Back, a link or closing the tab would lose it without a warning.
  useBlocker({ shouldBlockFn: () => !isStored, enableBeforeUnload: () => !isStored });
  return (
    <Stack gap="md">
      <Notice tone="warn">
        <strong>This {noun} is shown only once.</strong> {advice}
      </Notice>
      <div>
        <Group justify="space-between" mb={6} wrap="nowrap" ref={first}>
          <Text size="sm" fw={550} truncate title={name}>
            {name}
          </Text>
          <CopyButton text={text} label={`Copy ${noun}`} variant="filled" flex="none" data-autofocus />
        </Group>
        <CodeBlock text={text} label={label} testId={testId} />
      </div>
      {children}
      <Group justify="space-between" mt={4}>
        <Checkbox
          label={`I have stored this ${noun}`}
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
