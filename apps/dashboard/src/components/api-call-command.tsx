import { Anchor, Group, Stack } from '@mantine/core';
import { apiCallToCurl, type ApiCall } from '../api-call.ts';
import { apiOperations } from '../api-operations.ts';
import { docsOfOperation } from '../docs-links.ts';
import { CodeBlock } from './code-block.tsx';
import { CopyButton } from './copy.tsx';

/** The call as a curl command, and the way to its reference. */
export function ApiCallCommand({ call }: { call: ApiCall }) {
  const curl = apiCallToCurl(call, location.origin);
  return (
    <Stack gap="xs">
      <CodeBlock text={curl} label="The API call as a curl command" />
      <Group justify="space-between">
        <CopyButton text={curl} label="Copy the command" size="compact-sm" />
        <Anchor
          size="sm"
          href={docsOfOperation(call.operation, apiOperations[call.operation])}
          target="_blank"
          rel="noreferrer"
          underline="always"
        >
          Open the reference
        </Anchor>
      </Group>
    </Stack>
  );
}
