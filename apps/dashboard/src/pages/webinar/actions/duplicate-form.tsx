import { Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { FormActions } from '../../../components/dialog-form.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { failureOf, fieldErrors } from '../../../failure.ts';
import { useTRPC, type Webinar } from '../../../trpc.ts';
import { useWorkspace } from '../../../workspace.ts';

const titleMax = 200;
const mark = ' (copy)';

export function DuplicateForm({ webinar, onClose }: { webinar: Webinar; onClose: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { workspace } = useWorkspace();
  const [title, setTitle] = useState(webinar.title.slice(0, titleMax - mark.length).trimEnd() + mark);
  const { mutate, isPending, error } = useMutation(
    trpc.webinars.duplicate.mutationOptions({
      onSuccess: async ({ data }) => {
        void queryClient.invalidateQueries(trpc.webinars.list.pathFilter());
        onClose();
        await navigate({
          to: '/w/$workspaceId/webinars/$webinarId/details',
          params: { workspaceId: workspace.id, webinarId: data.id },
        });
        notifications.show({ message: `“${data.title}” is a draft with the same settings.` });
      },
    }),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate({ webinarId: webinar.id, title });
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <Text size="sm">
          The copy is a draft with the same settings, schedule, segments and interactions. Sessions,
          registrations, rules and subscriptions are not copied.
        </Text>
        <TextInput
          label="Title of the copy"
          maxLength={titleMax}
          autoComplete="off"
          data-autofocus
          autoFocus
          value={title}
          onChange={({ currentTarget }) => setTitle(currentTarget.value)}
          error={error ? fieldErrors(failureOf(error), ['title'])['title'] : undefined}
        />
        {error ? <FailureNotice error={error} shownPaths={['title']} /> : null}
        <FormActions
          submit="Duplicate"
          isPending={isPending}
          isDisabled={title.trim() === ''}
          apiCall={{
            operation: 'POST /webinars/{webinarId}/duplicate',
            params: { webinarId: webinar.id },
            body: { title },
          }}
          onCancel={onClose}
        />
      </Stack>
    </form>
  );
}
