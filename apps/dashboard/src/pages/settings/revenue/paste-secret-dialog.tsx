import { Modal, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { PasswordField } from '../../../components/password-field.tsx';
import { FormActions } from '../../../components/form-actions.tsx';
import { failureOf, fieldErrors } from '../../../failure.ts';
import { useTRPCClient } from '../../../trpc.ts';
import { useSourcesChanged } from './use-sources-changed.ts';

interface PasteSecretDialogProps {
  provider: string;
  title: string;
  /** The form of the secret. */
  hint: string | null;
  isOpen: boolean;
  onClose: () => void;
}

/** Takes the secret that a payment provider has issued. */
export const PasteSecretDialog = ({ isOpen, ...props }: PasteSecretDialogProps) => (
  <Modal opened={isOpen} onClose={props.onClose} title={`Signing secret of ${props.title}`}>
    <PasteForm {...props} />
  </Modal>
);

const fields = ['secret'];

function PasteForm({ provider, title, hint, onClose }: Omit<PasteSecretDialogProps, 'isOpen'>) {
  const { revenueSources } = useTRPCClient();
  const changed = useSourcesChanged();
  const [secret, setSecret] = useState('');
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => revenueSources.setSecret.mutate({ provider, secret: secret.trim() }),
    // The input contains the secret.
    gcTime: 0,
    onSuccess: async () => {
      await changed();
      onClose();
    },
  });
  const refused = error ? fieldErrors(failureOf(error), fields)['secret'] : undefined;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        mutate();
      }}
      noValidate
    >
      <Stack gap="md">
        <Text size="sm">
          {title} shows it beside the endpoint that you added there. Later, only its last four characters are
          shown. A secret that was pasted before is replaced at once.
        </Text>
        <PasswordField
          label="Signing secret"
          description={hint}
          maxLength={250}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          value={secret}
          // The hint is above the field already.
          error={
            refused !== undefined && refused === hint ? `This is not a signing secret of ${title}.` : refused
          }
          onChange={(event) => setSecret(event.currentTarget.value)}
        />
        {error ? <FailureNotice error={error} shownPaths={fields} /> : null}
        <FormActions
          submit="Save secret"
          isPending={isPending}
          isDisabled={secret.trim() === ''}
          onCancel={onClose}
        />
      </Stack>
    </form>
  );
}
