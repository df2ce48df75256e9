import { Text, Title } from '@mantine/core';
import { CodeSamples } from '../../components/code-samples.tsx';
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
      <CodeSamples samples={verifySamples} purpose="Check a signature" />
    </section>
  );
}
