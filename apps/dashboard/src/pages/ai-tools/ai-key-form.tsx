import { Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { presets } from '@service/catalogue';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { DraftNotice } from '../../components/draft-notice.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { FormActions } from '../../components/form-actions.tsx';
import { failureOf, fieldErrors } from '../../failure.ts';
import { focusFirstProblem } from '../../focus-first-problem.ts';
import { useFormDraft } from '../../form-draft.ts';
import { useTRPC, type CreatedApiKey } from '../../trpc.ts';
import { presetAccess } from '../keys/access.ts';
import { ScopePicker } from '../keys/scope-picker.tsx';
import { clientLabels, type KeyClient } from './clients.ts';

interface AiKeyFormProps {
  client: KeyClient;
  onCreated: (created: CreatedApiKey) => void;
  onCancel: () => void;
}

const fields = ['label', 'scopes'];
const labelLengthMax = 100;

/** The form of a key that only works over MCP. It can only read unless the person chooses more. */
export function AiKeyForm({ client, onCreated, onCancel }: AiKeyFormProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const form = useForm({
    initialValues: {
      label: client === 'other' ? 'AI client' : clientLabels[client],
      access: presetAccess('read'),
    },
    validate: ({ label, access }) => ({
      label: label.trim() === '' ? 'The label must not be blank.' : null,
      scopes: access.scopes.length === 0 ? 'Choose at least one scope.' : null,
    }),
  });
  const draft = useFormDraft(`create-key:${client}`, form);
  const { mutate, isPending, error } = useMutation(
    trpc.keys.create.mutationOptions({
      // The answer contains the full key, so it must not stay in the mutation cache.
      gcTime: 0,
      onSuccess: ({ data }) => {
        onCreated(data);
        void queryClient.invalidateQueries(trpc.keys.list.queryFilter());
      },
      onError: (refusal) => form.setErrors(fieldErrors(failureOf(refusal), fields)),
    }),
  );
  const submit = form.onSubmit(
    ({ label, access: { preset, scopes } }) =>
      mutate({ label: label.trim(), preset, scopes: [...scopes], surfaces: ['mcp'] }),
    focusFirstProblem,
  );
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <DraftNotice draft={draft} />
        <TextInput
          label="Label"
          description="Activity and the list of keys show it."
          maxLength={labelLengthMax}
          autoComplete="off"
          data-autofocus
          autoFocus
          {...form.getInputProps('label')}
        />
        <ScopePicker
          access={form.values.access}
          onChange={(access) => {
            form.setFieldValue('access', access);
            form.clearFieldError('scopes');
          }}
          error={form.errors['scopes']}
          descriptions={{ full: presets.full.scopesDescription, read: presets.read.scopesDescription }}
        />
        {error ? <FailureNotice error={error} shownPaths={fields} /> : null}
        <FormActions submit="Create key" isPending={isPending} onCancel={onCancel} />
      </Stack>
    </form>
  );
}
