import { Group, SegmentedControl, Title } from '@mantine/core';
import { useState } from 'react';
import { CodeBlock } from '../../components/code-block.tsx';
import { CopyButton } from '../../components/copy.tsx';

type View = 'exact' | 'formatted';

const views = [
  { value: 'formatted', label: 'Formatted' },
  { value: 'exact', label: 'Exact' },
];

/** The body that was signed and sent. Copying always gives the exact bytes, because the signature covers them. */
export function PayloadBlock({ body }: { body: string }) {
  const [view, setView] = useState<View>('formatted');
  return (
    <section>
      <Group justify="space-between" mb={8}>
        <Title order={3}>Request body</Title>
        <Group gap="xs">
          <SegmentedControl
            aria-label="Format of the request body"
            size="xs"
            data={views}
            value={view}
            onChange={(next) => setView(next as View)}
          />
          <CopyButton text={body} label="Copy body" />
        </Group>
      </Group>
      <CodeBlock text={view === 'exact' ? body : formatted(body)} label="Request body" testId="payload" />
    </section>
  );
}

function formatted(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
