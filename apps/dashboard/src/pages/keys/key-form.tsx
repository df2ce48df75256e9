import { Checkbox, Group, Input, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { allSurfaces, presets, surfaces } from '@service/catalogue';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { DialogForm } from '../../components/dialog-form.tsx';
import { failureOf, fieldErrors } from '../../failure.ts';
import { focusFirstProblem } from '../../focus.ts';
import { useFormDraft } from '../../form-draft.ts';
import { useTRPC, type CreatedApiKey } from '../../trpc.ts';
import styles from './access-picker.module.css';
import { presetAccess, toggleSurface, type Access } from './access.ts';
import { ScopePicker } from './scope-picker.tsx';

interface KeyFormProps {
  /** The AI client of the key. The key only works over MCP. */
  client?: { id: string; label: string };
  onCreated: (created: CreatedApiKey) => void;
  onCancel: () => void;
}

const labelLengthMax = 100;

/** The form of a new API key, which can only read unless the person chooses more. */
export function KeyForm({ client, onCreated, onCancel }: KeyFormProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const fields = client ? ['label', 'scopes'] : ['label', 'scopes', 'surfaces', 'expiresAt'];
  const form = useForm({
    initialValues: { label: client?.label ?? '', access: presetAccess('read'), expiresAt: '' },
    validate: ({ label, access }) => ({
      label: label.trim() === '' ? 'The label must not be blank.' : null,
      scopes: access.scopes.length === 0 ? 'Choose at least one scope.' : null,
      surfaces: access.surfaces.length === 0 ? 'Choose at least one surface.' : null,
    }),
  });
  const draft = useFormDraft(client ? `create-key:${client.id}` : 'create-key', form);
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
  const { access } = form.values;
  const setAccess = (next: Access) => {
    form.setFieldValue('access', next);
    form.clearFieldError('scopes');
    form.clearFieldError('surfaces');
  };
  const submit = form.onSubmit(({ label, expiresAt, access: { preset, scopes, surfaces: chosen } }) => {
    mutate({
      label: label.trim(),
      preset,
      scopes: [...scopes],
      surfaces: client ? ['mcp'] : [...chosen],
      expiresAt: expiresAt === '' ? null : endOfDay(expiresAt),
    });
  }, focusFirstProblem);
  const text = client ? 'scopesDescription' : 'description';
  return (
    <DialogForm
      draft={draft}
      error={error}
      shownPaths={fields}
      submit={client ? 'Create key' : 'Generate key'}
      isPending={isPending}
      onSubmit={submit}
      onCancel={onCancel}
    >
      <TextInput
        label="Label"
        {...(client
          ? { description: 'Activity and the list of keys show it.' }
          : { placeholder: 'Landing page form' })}
        maxLength={labelLengthMax}
        autoComplete="off"
        data-autofocus
        autoFocus
        {...form.getInputProps('label')}
      />
      <ScopePicker
        access={access}
        onChange={setAccess}
        error={form.errors['scopes']}
        descriptions={{ full: presets.full[text], read: presets.read[text] }}
      />
      {client ? null : (
        <Input.Wrapper label="Surfaces" labelElement="div" error={form.errors['surfaces']}>
          <Group gap="sm">
            {allSurfaces.map((id) => (
              <Checkbox
                key={id}
                className={styles['surface']}
                label={surfaces[id].label}
                description={surfaces[id].description}
                checked={access.surfaces.includes(id)}
                onChange={() => setAccess(toggleSurface(access, id))}
              />
            ))}
          </Group>
        </Input.Wrapper>
      )}
      {client ? null : (
        <TextInput
          label="Last day"
          description="Requests with the key are refused after this day. Leave it empty for a key without an end."
          type="date"
          maw={240}
          {...form.getInputProps('expiresAt')}
        />
      )}
    </DialogForm>
  );
}

/** The end of a day in the zone of the browser. */
function endOfDay(day: string): string {
  const end = new Date(`${day}T00:00`);
  end.setDate(end.getDate() + 1);
  return end.toISOString();
}
