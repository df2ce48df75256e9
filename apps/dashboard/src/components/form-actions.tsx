import { Button, Group } from '@mantine/core';

interface FormActionsProps {
  /** The text of the submit button. */
  submit: string;
  isPending: boolean;
  isDisabled?: boolean;
  color?: 'red';
  onCancel: () => void;
}

/** The last row of a form in a dialog: Cancel and submit. */
export function FormActions({ submit, isPending, isDisabled = false, color, onCancel }: FormActionsProps) {
  return (
    <Group justify="flex-end" gap="xs">
      <Button variant="default" onClick={onCancel}>
        Cancel
      </Button>
      <Button type="submit" color={color} disabled={isDisabled} loading={isPending}>
        {submit}
      </Button>
    </Group>
  );
}
