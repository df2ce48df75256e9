import { Group, TextInput } from '@mantine/core';
import { CopyButton } from '../../../components/copy.tsx';

/** A personal join link with its copy button. */
export function JoinLink({ url }: { url: string }) {
  return (
    <Group gap="xs" align="flex-end" wrap="nowrap">
      <TextInput
        label="Join link"
        description="Anyone who has it joins as this attendee."
        style={{ flex: 1, minWidth: 0 }}
        readOnly
        value={url}
        onFocus={(event) => event.currentTarget.select()}
      />
      <CopyButton text={url} label="Copy join link" style={{ flex: 'none' }} />
    </Group>
  );
}
