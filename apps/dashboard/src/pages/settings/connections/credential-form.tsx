import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { DialogForm } from '../../../components/dialog-form.tsx';
import { UnsavedGuard } from '../../../components/unsaved-guard.tsx';
import { failureOf, fieldErrors } from '../../../failure.ts';
import type { Connected } from '../../../trpc.ts';
import { useConnectionsChanged } from './connection-texts.ts';
import {
  CredentialFields,
  credentialInput,
  credentialPaths,
  type CredentialValues,
  type Provider,
} from './credential-fields.tsx';

interface CredentialFormProps {
  provider: Provider;
  /** The saved address of the API. Empty: that of the provider. */
  savedBaseUrl?: string;
  /** The text of the button. */
  submit: string;
  send: (input: {
    credential: Record<string, string>;
    baseUrl: string | null;
  }) => Promise<{ data: Connected }>;
  onConnected: (connected: Connected) => void;
  onClose: () => void;
  /** Paths of the fields in `children`. */
  paths?: readonly string[];
  /** One of them has another value than at first. */
  isChanged?: boolean;
  /** Above the fields of the credential. */
  intro?: ReactNode;
  /** Below them. Gets the messages of fields by path. */
  children?: (errors: Readonly<Record<string, string>>) => ReactNode;
}

/** The form of a credential. It is saved when the provider has accepted it. */
export function CredentialForm({
  provider,
  savedBaseUrl = '',
  submit,
  send,
  onConnected,
  onClose,
  paths,
  isChanged = false,
  intro,
  children,
}: CredentialFormProps) {
  const changed = useConnectionsChanged();
  const [credential, setCredential] = useState<CredentialValues>({});
  const [baseUrl, setBaseUrl] = useState(savedBaseUrl);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => send({ credential: credentialInput(credential), baseUrl: baseUrl.trim() || null }),
    // The input contains the credential.
    gcTime: 0,
    onSuccess: async ({ data }) => {
      onConnected(data);
      await changed();
    },
  });
  const isDirty = isChanged || baseUrl !== savedBaseUrl || Object.values(credential).some(Boolean);
  const shownPaths = [...credentialPaths(provider), ...(paths ?? [])];
  const errors = error ? fieldErrors(failureOf(error), shownPaths) : {};
  return (
    <DialogForm
      error={error}
      shownPaths={shownPaths}
      submit={submit}
      isPending={isPending}
      onSubmit={() => mutate()}
      onCancel={onClose}
    >
      <UnsavedGuard isDirty={isDirty && !isPending} isOpenWith={({ connect }) => connect === true} />
      {intro}
      <CredentialFields
        provider={provider}
        values={credential}
        baseUrl={baseUrl}
        errors={errors}
        onChange={setCredential}
        onBaseUrl={setBaseUrl}
      />
      {children?.(errors)}
    </DialogForm>
  );
}
