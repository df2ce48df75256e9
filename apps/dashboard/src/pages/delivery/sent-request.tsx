import { Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { CodeBlock } from '../../components/code-block.tsx';
import { CopyButton } from '../../components/copy.tsx';
import type { Delivery } from '../../trpc.ts';
import styles from './attempt-timeline.module.css';
import { toCurl } from './to-curl.ts';

type Attempt = Delivery['attemptLog'][number];

/** The sent headers of one try, collapsed at first. */
export const SentRequest = ({ attempt, body }: { attempt: Attempt; body: string }) => (
  <Headers name="Request headers" attempt={attempt} headers={attempt.requestHeaders}>
    <CopyCurl size="compact-xs" attempt={attempt} body={body} />
  </Headers>
);

/** The headers of the response to one try, collapsed at first. */
export const ResponseHeaders = ({ attempt }: { attempt: Attempt }) => (
  <Headers name="Response headers" attempt={attempt} headers={attempt.responseHeaders} />
);

interface HeadersProps {
  name: string;
  attempt: Attempt;
  headers: Readonly<Record<string, string>>;
  /** Further buttons. */
  children?: ReactNode;
}

function Headers({ name, attempt, headers, children }: HeadersProps) {
  const lines = Object.entries(headers).map(([header, value]) => `${header}: ${value}`);
  if (lines.length === 0) return null;
  const text = lines.join('\n');
  return (
    <details className={styles['sent']}>
      <summary>
        {name} ({lines.length})
      </summary>
      <CodeBlock text={text} label={`${name} of try ${attempt.number}`} />
      <Group gap="xs" mt={8}>
        <CopyButton size="compact-xs" text={text} label="Copy headers" />
        {children}
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
