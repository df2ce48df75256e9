import { Button, Group, Text } from '@mantine/core';
import type { FormDraft } from '../form-draft.ts';
import { Notice } from './notice.tsx';

/** Shown above the fields of a form whose values were restored. */
export function DraftNotice({ draft }: { draft: FormDraft }) {
  if (!draft.isRestored) return null;
  return (
    <Notice tone="info">
      <Group justify="space-between" gap="sm" role="status">
        <Text size="sm">What you typed before was restored. It is not saved yet.</Text>
        <Button variant="default" onClick={draft.discard}>
          Discard it
        </Button>
      </Group>
    </Notice>
  );
}
