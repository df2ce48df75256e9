import { Anchor, Button, Group, Popover, Stack } from '@mantine/core';
import { IconCode } from '@tabler/icons-react';
import { apiCallToCurl, docsOfOperation, type ApiCall, type ApiOperation } from '../api-call.ts';
import { CodeBlock } from './code-block.tsx';
import { CopyButton } from './copy.tsx';

/** A button that shows the call of the REST API which does the same as this list or form. */
export function ShowApiCall<Operation extends ApiOperation>(call: ApiCall<Operation>) {
  const curl = apiCallToCurl(call, location.origin);
  return (
    <Popover position="bottom-end" width={420} withinPortal trapFocus returnFocus>
      <Popover.Target>
        <Button variant="subtle" size="compact-sm" color="gray" leftSection={<IconCode size={14} />}>
          Show the API call
        </Button>
      </Popover.Target>
      <Popover.Dropdown maw="calc(100vw - 24px)">
        <Stack gap="xs">
          <CodeBlock text={curl} label="The API call as a curl command" />
          <Group justify="space-between">
            <CopyButton text={curl} label="Copy the command" size="compact-sm" />
            <Anchor size="sm" href={docsOfOperation(call.operation)} target="_blank" underline="always">
              Open the reference
            </Anchor>
          </Group>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
