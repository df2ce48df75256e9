import { Button, Group, Text, TextInput } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { CodeBlock } from '../../../components/code-block.tsx';
import { CopyButton } from '../../../components/copy.tsx';
import { SettingsGroup } from '../../../components/section.tsx';
import type { Webinar } from '../../../trpc.ts';
import { embedSnippet, pageAddress } from './page-address.ts';

/** The address of the page, and the HTML that shows its form on another site. */
export function AddressSection({ webinar }: { webinar: Webinar }) {
  const address = pageAddress(webinar);
  const snippet = embedSnippet(address, webinar.publicTitle ?? webinar.title);
  const isPublished = webinar.status === 'published';
  return (
    <SettingsGroup
      title="Address"
      text={
        isPublished
          ? 'Attendees register here. You change the words of the address under Details.'
          : 'Attendees register here after you publish the webinar. You change the words of the address under Details.'
      }
    >
      <Group gap="xs" align="flex-end">
        <TextInput
          label="Registration page"
          style={{ flex: '1 1 280px', minWidth: 0 }}
          readOnly
          value={address}
          onFocus={(event) => event.currentTarget.select()}
        />
        <CopyButton text={address} label="Copy address" />
        {isPublished ? (
          <Button
            component="a"
            variant="default"
            href={address}
            target="_blank"
            rel="noreferrer"
            leftSection={<IconExternalLink size={14} />}
          >
            Open
          </Button>
        ) : null}
      </Group>
      <div>
        <Text size="sm" fw={550}>
          Form on your own site
        </Text>
        <Text size="xs" c="dimmed" mb={6}>
          Paste this HTML where the form should appear. The form grows with its content.
        </Text>
        <CodeBlock text={snippet} label="HTML of the form" />
        <CopyButton text={snippet} label="Copy HTML" mt="xs" />
      </div>
    </SettingsGroup>
  );
}
