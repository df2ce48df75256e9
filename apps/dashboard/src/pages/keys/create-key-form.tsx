import { Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { DraftNotice } from '../../components/draft-notice.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { FormActions } from '../../components/form-actions.tsx';
import { failureOf, fieldErrors } from '../../failure.ts';
import { focusFirstProblem } from '../../focus-first-problem.ts';
import { useFormDraft } from '../../form-draft.ts';
import { useTRPC, type CreatedApiKey } from '../../trpc.ts';
import { AccessPicker } from './access-picker.tsx';
import { presetAccess, type Access } from './access.ts';

interface CreateKeyFormProps {
  onCreated: (created: CreatedApiKey) => void;
  onCancel: () => void;
}

const fields = ['label', 'scopes', 'surfaces'];
const labelLengthMax = 100;

export function CreateKeyForm({ onCreated, onCancel }: CreateKeyFormProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const form = useForm({
    initialValues: { label: '', access: presetAccess('full') },
    validate: ({ label, access }) => ({
      label: label.trim() === '' ? 'The label must not be blank.' : null,
      scopes: access.scopes.length === 0 ? 'Choose at least one scope.' : null,
      surfaces: access.surfaces.length === 0 ? 'Choose at least one surface.' : null,
    }),
  });
  const draft = useFormDraft('create-key', form);
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
  const setAccess = (access: Access) => {
    form.setFieldValue('access', access);
    form.clearFieldError('scopes');
    form.clearFieldError('surfaces');
  };
  const submit = form.onSubmit(
    ({ label, access: { preset, scopes, surfaces } }) =>
      mutate({ label: label.trim(), preset, scopes: [...scopes], surfaces: [...surfaces] }),
    focusFirstProblem,
  );
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <DraftNotice draft={draft} />
        <TextInput
          label="Label"
          placeholder="Landing page form"
          maxLength={labelLengthMax}
          autoComplete="off"
          data-autofocus
          autoFocus
          {...form.getInputProps('label')}
        />
        <AccessPicker
          access={form.values.access}
          onChange={setAccess}
          scopesError={form.errors['scopes']}
          surfacesError={form.errors['surfaces']}
        />
        {error ? <FailureNotice error={error} shownPaths={fields} /> : null}
        <FormActions submit="Generate key" isPending={isPending} onCancel={onCancel} />
      </Stack>
    </form>
  );
}
