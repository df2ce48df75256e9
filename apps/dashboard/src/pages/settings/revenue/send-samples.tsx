import { Text } from '@mantine/core';
import { CodeSamples } from '../../../components/code-samples.tsx';
import { sendSamples, signatureHeader } from './send-sample-code.ts';

/** Code that signs and sends a purchase and its refund, in four languages. */
export function SendSamples({ url }: { url: string }) {
  return (
    <>
      <Text size="sm" c="dimmed" mb={8}>
        Send one request for each purchase, refund and chargeback. The header <code>{signatureHeader}</code>{' '}
        has the signature of the exact body; the whole secret is the key, <code>whsec_</code> included.
        Amounts are in the smallest unit of the currency; refunds and chargebacks are negative and name the{' '}
        <code>event_id</code> of their purchase in <code>original_transaction_id</code>. A renewal names the
        first purchase of its subscription there, and gets its credit.
      </Text>
      <CodeSamples samples={sendSamples(url, 'purchase')} purpose="Send a purchase" />
      <Text size="sm" c="dimmed" mt={16} mb={8}>
        A refund has an <code>event_id</code> of its own:
      </Text>
      <CodeSamples samples={sendSamples(url, 'refund')} purpose="Send a refund" />
    </>
  );
}
