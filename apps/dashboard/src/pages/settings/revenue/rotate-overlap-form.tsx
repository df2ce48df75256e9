import '../../../components/choices.css';
import { Button, Group, Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { CodeBlock } from '../../../components/code-block.tsx';
import { CopyButton } from '../../../components/copy.tsx';
import { Question } from '../../../components/dialog-form.tsx';
import { useTRPCClient } from '../../../trpc.ts';
import { useSourcesChanged } from './sources.ts';

const overlaps = [
  { hours: 24, label: '24 hours', text: 'Both secrets are valid for a day.' },
  { hours: 1, label: '1 hour', text: 'Both secrets are valid for an hour.' },
  {
    hours: 0,
    label: 'None',
    text: 'The old secret ends at once. Choose this when it became known to others.',
  },
] as const;

interface RotateOverlapFormProps {
  provider: string;
  onRotated: (secret: string) => void;
  onClose: () => void;
}

/** Replaces a secret that the service has made. */
export function RotateOverlapForm({ provider, onRotated, onClose }: RotateOverlapFormProps) {
  const { revenueSources } = useTRPCClient();
  const changed = useSourcesChanged();
  const [hours, setHours] = useState<0 | 1 | 24>(24);
  const [secret, setSecret] = useState<string>();
  if (secret !== undefined) {
    return (
      <Stack gap="md">
        <Text size="sm">
          Sign with this secret from now on.{' '}
          {hours === 0
            ? 'The old secret is no longer valid.'
            : 'The old secret is valid until the overlap ends.'}
        </Text>
        <CodeBlock text={secret} label="New signing secret" testId="new-secret" />
        <Group justify="flex-end" gap="xs">
          <CopyButton text={secret} label="Copy secret" />
          <Button onClick={onClose}>Done</Button>
        </Group>
      </Stack>
    );
  }
  return (
    <Question
      confirm="Rotate secret"
      act={() => revenueSources.rotateSecret.mutate({ provider, overlapHours: hours })}
      onDone={(answer) => {
        setSecret(answer.data.secret);
        onRotated(answer.data.secret);
        return changed();
      }}
      onClose={onClose}
    >
      <Radio.Group
        label="Overlap"
        description="The time in which events with the old secret are still accepted."
        value={String(hours)}
        onChange={(value) => setHours(Number(value) as typeof hours)}
      >
        <Stack gap="xs" mt="xs">
          {overlaps.map(({ hours: value, label, text }) => (
            <Radio key={value} value={String(value)} label={label} description={text} />
          ))}
        </Stack>
      </Radio.Group>
    </Question>
  );
}
