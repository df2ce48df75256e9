import { Button, Group, Text } from '@mantine/core';
import { CopyButton } from '../../../components/copy.tsx';
import { formatCount } from '../../../format.ts';
import type { Registration } from '../../../trpc.ts';

interface SelectionBarProps {
  selected: readonly Registration[];
  onCancel: (registrations: readonly Registration[]) => void;
  onClear: () => void;
}

/** Actions for the selected rows. */
export function SelectionBar({ selected, onCancel, onClear }: SelectionBarProps) {
  const active = selected.filter(({ status }) => status !== 'cancelled');
  const emails = [...new Set(selected.map(({ email }) => email))];
  return (
    <Group gap="xs" mb="sm" role="group" aria-label="Selected registrations">
      <Text size="sm" fw={550} role="status">
        {formatCount(selected.length)} selected
      </Text>
      <CopyButton text={emails.join('\n')} label="Copy e-mail addresses" />
      <Button
        variant="default"
        c={active.length === 0 ? undefined : 'var(--tone-bad)'}
        disabled={active.length === 0}
        onClick={() => onCancel(active)}
      >
        Cancel registrations…
      </Button>
      <Button variant="subtle" color="gray" onClick={onClear}>
        Clear selection
      </Button>
    </Group>
  );
}
