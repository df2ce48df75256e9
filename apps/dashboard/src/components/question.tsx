import { Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ApiCall } from '../api-call.ts';
import { FailureNotice } from './failure-notice.tsx';
import { FormApiCall } from './form-actions.tsx';

interface QuestionProps {
  /** The result of a confirmation, in a sentence. */
  text: ReactNode;
  /** Lists below the text. */
  children?: ReactNode;
  /** The text of the red button. */
  confirm: string;
  /** The text of the button that changes nothing. */
  cancel?: string;
  isPending: boolean;
  error: unknown;
  apiCall: ApiCall | undefined;
  onConfirm: () => void;
  onClose: () => void;
}

/** The content of a dialog that asks before something ends. It is loaded when the dialog opens. */
export function Question({
  text,
  children,
  confirm,
  cancel = 'Cancel',
  isPending,
  error,
  apiCall,
  onConfirm,
  onClose,
}: QuestionProps) {
  return (
    <Stack gap="md">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {text}
      </Text>
      {children}
      {error ? <FailureNotice error={error} /> : null}
      <Group justify="flex-end" gap="xs">
        {apiCall ? <FormApiCall call={apiCall} /> : null}
        <Button variant="default" onClick={onClose} data-autofocus autoFocus>
          {cancel}
        </Button>
        <Button color="red" loading={isPending} onClick={onConfirm}>
          {confirm}
        </Button>
      </Group>
    </Stack>
  );
}
