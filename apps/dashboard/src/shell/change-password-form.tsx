import { Stack } from '@mantine/core';
import { hasLength, isNotEmpty, useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { FailureNotice } from '../components/failure-notice.tsx';
import { PasswordField } from '../components/password-field.tsx';
import { FormActions } from '../components/form-actions.tsx';
import { focusFirstProblem } from '../focus-first-problem.ts';
import { changePassword, passwordLength } from '../session.ts';

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
    <form onSubmit={form.onSubmit((values) => mutate(values), focusFirstProblem)} noValidate>
      <Stack gap="md">
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
        {error ? <FailureNotice error={error} /> : null}
        <FormActions submit="Change password" isPending={isPending} onCancel={onClose} />
      </Stack>
    </form>
  );
}
