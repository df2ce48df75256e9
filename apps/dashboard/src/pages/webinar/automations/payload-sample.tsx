import { Group, Text, Title } from '@mantine/core';
import { CodeBlock } from '../../../components/code-block.tsx';
import { CopyButton } from '../../../components/copy.tsx';
import type { TriggerForm } from '../../../trpc.ts';

interface PayloadSampleProps {
  trigger: TriggerForm;
  webinar: { id: string; title: string } | undefined;
}

/** The body that the endpoint receives for this trigger. */
export function PayloadSample({ trigger, webinar }: PayloadSampleProps) {
  const sample = { ...trigger.sample, ...(webinar && { webinar: { id: webinar.id, title: webinar.title } }) };
  const text = JSON.stringify(sample, null, 2);
  return (
    <section aria-label="Sample of the payload">
      <Group justify="space-between" mb={4}>
        <Title order={3}>Sample of the payload</Title>
        <CopyButton text={text} label="Copy sample" />
      </Group>
      <Text size="xs" c="dimmed" mb={8}>
        The endpoint receives this JSON with the data of the attendee. Accept further fields.
      </Text>
      <CodeBlock text={text} label="Sample of the payload" testId="payload-sample" />
    </section>
  );
}
