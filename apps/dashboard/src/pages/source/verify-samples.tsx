import { Group, Tabs, Text, Title } from '@mantine/core';
import { CodeBlock } from '../../components/code-block.tsx';
import { CopyButton } from '../../components/copy.tsx';
import { signatureHeader, verifySamples } from './verify-sample-code.ts';

/** Code that checks the signature of a delivery, in six languages. */
export function VerifySamples() {
  return (
    <section aria-label="Check a signature">
      <Title order={3}>Check a signature</Title>
      <Text size="sm" c="dimmed" mb={8}>
        Compare the header <code>{signatureHeader}</code> with the signature of the raw body. The whole secret
        is the key, <code>whsec_</code> included.
      </Text>
      <Tabs defaultValue={verifySamples[0]!.label} keepMounted={false}>
        <Tabs.List mb={8}>
          {verifySamples.map(({ label }) => (
            <Tabs.Tab key={label} value={label}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {verifySamples.map(({ label, hint, code }) => (
          <Tabs.Panel key={label} value={label}>
            <Group justify="space-between" align="flex-start" wrap="nowrap" mb={8}>
              <Text size="xs" c="dimmed">
                {hint}
              </Text>
              <CopyButton text={code} label="Copy code" style={{ flex: 'none' }} />
            </Group>
            <CodeBlock text={code} label={`Check a signature in ${label}`} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </section>
  );
}
