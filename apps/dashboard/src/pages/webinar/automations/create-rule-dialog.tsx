import { Modal, Select, Stack, Text, TextInput } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { FormActions } from '../../../components/form-actions.tsx';
import { failureOf, fieldErrors } from '../../../failure.ts';
import { useTRPC, type Rule } from '../../../trpc.ts';
import { givenParams, initialParams, paramPath, TriggerParams, type RuleValues } from './trigger-params.tsx';
import { useTriggers } from './use-triggers.ts';
import { useAutomationsSearch } from './use-automations-search.ts';

interface CreateRuleDialogProps {
  isOpen: boolean;
  onClose: () => void;
}

/** Paths of problems and the fields that show them. Each param of the trigger has a field too. */
const fields = ['name', 'action.url'];

export function CreateRuleDialog({ isOpen, onClose }: CreateRuleDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Create webhook rule">
      <CreateRuleForm onClose={onClose} />
    </Modal>
  );
}

function CreateRuleForm({ onClose }: { onClose: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { webinarId, show } = useAutomationsSearch();
  const triggers = useTriggers() ?? [];
  const form = useForm<RuleValues>({
    initialValues: { name: '', trigger: { type: 'registered', params: {} }, action: { url: '' } },
    validate: { name: isNotEmpty('Give the rule a name.'), action: { url: problemOfUrl } },
  });
  const trigger = triggers.find(({ type }) => type === form.values.trigger.type);
  const shownPaths = [...fields, ...(trigger?.params.map(({ name }) => paramPath(name)) ?? [])];
  const { mutate, isPending, error } = useMutation(
    trpc.automations.rules.create.mutationOptions({
      // The answer contains the secret. The drawer reads it again when it opens.
      gcTime: 0,
      onSuccess: async ({ data }) => {
        await queryClient.invalidateQueries(trpc.automations.rules.list.pathFilter());
        show({ create: undefined, rule: data.id });
      },
      onError: (refusal) => form.setErrors(fieldErrors(failureOf(refusal), shownPaths)),
    }),
  );
  const submit = form.onSubmit(({ name, trigger: { type, params }, action }) =>
    mutate({
      webinarId,
      name: name.trim(),
      // The form has the fields of this trigger, and the service checks their values.
      trigger: { type, params: givenParams(params) } as Rule['trigger'],
      action: { type: 'webhook', url: action.url.trim() },
    }),
  );
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <TextInput
          label="Rule name"
          placeholder="Add to CRM"
          autoComplete="off"
          data-autofocus
          {...form.getInputProps('name')}
        />
        <Select
          label="When"
          description={trigger?.description}
          allowDeselect={false}
          searchable
          data={triggers.map(({ type, when }) => ({ value: type, label: when }))}
          value={form.values.trigger.type}
          onChange={(chosen) => {
            const next = triggers.find(({ type }) => type === chosen);
            if (next) form.setFieldValue('trigger', { type: next.type, params: initialParams(next) });
          }}
        />
        {trigger ? <TriggerParams key={trigger.type} form={form} trigger={trigger} /> : null}
        <TextInput
          label="Destination URL"
          description="Receives signed JSON by POST, and must answer with 2xx within 10 seconds."
          placeholder="https://example.com/hooks/webinar"
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          {...form.getInputProps('action.url')}
        />
        <Text size="xs" c="dimmed">
          A signing secret is made when you save, and can be seen whenever you open the rule.
        </Text>
        {error ? <FailureNotice error={error} shownPaths={shownPaths} /> : null}
        <FormActions submit="Save rule" isPending={isPending} onCancel={onClose} />
      </Stack>
    </form>
  );
}

/** Only a first check. The service checks scheme, host and address. */
function problemOfUrl(text: string): string | null {
  const url = URL.parse(text.trim());
  if (!url || !['https:', 'http:'].includes(url.protocol))
    return 'Enter a whole URL, beginning with https://';
  return null;
}
