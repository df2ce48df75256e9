import { Button, Group } from '@mantine/core';
import type { ApiCall } from '../api-call.ts';
import { ShowApiCall } from './show-api-call.tsx';

interface FormActionsProps {
  /** The text of the submit button. */
  submit: string;
  isPending: boolean;
  isDisabled?: boolean;
  color?: 'red';
  /** The call that the form sends now. */
  apiCall?: ApiCall | undefined;
  onCancel: () => void;
}

/** The last row of a form in a dialog: Cancel and submit. */
export function FormActions({
  submit,
  isPending,
  isDisabled = false,
  color,
  apiCall,
  onCancel,
}: FormActionsProps) {
  return (
    <Group justify="flex-end" gap="xs">
      {apiCall ? <FormApiCall call={apiCall} /> : null}
      <Button variant="default" onClick={onCancel}>
        Cancel
      </Button>
      <Button type="submit" color={color} disabled={isDisabled} loading={isPending}>
        {submit}
      </Button>
    </Group>
  );
}

/** At the left of the buttons of a form or question. */
export const FormApiCall = ({ call }: { call: ApiCall }) => (
  <div style={{ marginInlineEnd: 'auto' }}>
    <ShowApiCall call={call} of="this form" edge="start" />
  </div>
);
