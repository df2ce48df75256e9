import { Group } from '@mantine/core';
import { CodeBlock } from '../../components/code-block.tsx';
import { CopyButton } from '../../components/copy.tsx';
import type { Delivery } from '../../trpc.ts';
import styles from './attempt-timeline.module.css';
import { toCurl } from './to-curl.ts';

type Attempt = Delivery['attemptLog'][number];

/** The sent headers of one try, collapsed at first. */
export function SentRequest({ attempt, body }: { attempt: Attempt; body: string }) {
  const headers = Object.entries(attempt.requestHeaders);
  if (headers.length === 0) return null;
  const text = headers.map(([name, value]) => `${name}: ${value}`).join('\n');
  return (
    <details className={styles['sent']}>
      <summary>Request headers ({headers.length})</summary>
      <CodeBlock text={text} label={`Request headers of try ${attempt.number}`} />
      <Group gap="xs" mt={8}>
        <CopyButton size="compact-xs" text={text} label="Copy headers" />
        <CopyCurl size="compact-xs" attempt={attempt} body={body} />
      </Group>
    </details>
  );
}

interface CopyCurlProps {
  attempt: Attempt;
  body: string;
  size?: 'compact-xs' | 'xs';
}

/** A button that copies the request of a try as a command. */
export const CopyCurl = ({ attempt: { url, requestHeaders }, body, size = 'xs' }: CopyCurlProps) => (
  <CopyButton size={size} text={toCurl({ url, headers: requestHeaders, body })} label="Copy as curl" />
);
