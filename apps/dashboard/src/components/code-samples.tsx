import { Group, Tabs, Text } from '@mantine/core';
import { CodeBlock } from './code-block.tsx';
import { CopyButton } from './copy.tsx';

interface CodeSample {
  /** The language. */
  label: string;
  hint: string;
  code: string;
}

interface CodeSamplesProps {
  samples: readonly CodeSample[];
  /** The purpose of the code, for screen readers: "Check a signature". */
  purpose: string;
}

/** The same code in several languages, one tab for each. */
export function CodeSamples({ samples, purpose }: CodeSamplesProps) {
  return (
    <Tabs defaultValue={samples[0]!.label} keepMounted={false}>
      <Tabs.List mb={8}>
        {samples.map(({ label }) => (
          <Tabs.Tab key={label} value={label}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {samples.map(({ label, hint, code }) => (
        <Tabs.Panel key={label} value={label}>
          <Group justify="space-between" align="flex-start" wrap="nowrap" mb={8}>
            <Text size="xs" c="dimmed">
              {hint}
            </Text>
            <CopyButton text={code} label="Copy code" style={{ flex: 'none' }} />
          </Group>
          <CodeBlock text={code} label={`${purpose} in ${label}`} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
