import { hasLength, isNotEmpty, useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { DialogForm } from '../components/dialog-form.tsx';
import { PasswordField } from '../components/password-field.tsx';
import { focusFirstProblem } from '../focus.ts';
import { changePassword, passwordLength } from '../session.ts';

/** Asks for the current and a new password. Every other session of this person ends with the change. */
export function ChangePasswordForm({ onClose }: { onClose: () => void }) {
  const form = useForm({
    initialValues: { currentPassword: '', newPassword: '' },
    validate: {
      currentPassword: isNotEmpty('Enter your current password.'),
      newPassword: hasLength(
        passwordLength,
        `Use ${passwordLength.min} to ${passwordLength.max} characters.`,
      ),
    },
  });
  const { mutate, isPending, error } = useMutation({
    mutationFn: changePassword,
    onSuccess: () => {
      notifications.show({ title: 'Password changed', message: 'You are signed out on all other devices.' });
      onClose();
    },
  });
  return (
    <DialogForm
      error={error}
      submit="Change password"
      isPending={isPending}
      onSubmit={form.onSubmit((values) => mutate(values), focusFirstProblem)}
      onCancel={onClose}
    >
      <PasswordField
        label="Current password"
        autoComplete="current-password"
        autoFocus
        {...form.getInputProps('currentPassword')}
      />
      <PasswordField
        label="New password"
        description="At least 8 characters. The change signs you out on all other devices."
        autoComplete="new-password"
        {...form.getInputProps('newPassword')}
      />
    </DialogForm>
  );
}
