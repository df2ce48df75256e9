import { Group, Tabs, Text } from '@mantine/core';
import { CodeBlock } from '../../../components/code-block.tsx';
import { CopyButton } from '../../../components/copy.tsx';
import { sendSamples, signatureHeader } from './send-sample-code.ts';

/** Code that signs and sends a purchase, in four languages. */
export function SendSamples({ url }: { url: string }) {
  const samples = sendSamples(url);
  return (
    <>
      <Text size="sm" c="dimmed" mb={8}>
        Send one request for each purchase, refund and chargeback. The header <code>{signatureHeader}</code>{' '}
        has the signature of the exact body; the whole secret is the key, <code>whsec_</code> included.
        Amounts are in the smallest unit of the currency; refunds and chargebacks are negative and name the{' '}
        <code>event_id</code> of their purchase in <code>original_transaction_id</code>.
      </Text>
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
            <CodeBlock text={code} label={`Send a purchase in ${label}`} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </>
  );
}
