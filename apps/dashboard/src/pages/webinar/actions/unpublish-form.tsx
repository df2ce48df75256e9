import { Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { FormActions } from '../../../components/dialog-form.tsx';
import { useTRPC, type Webinar } from '../../../trpc.ts';

interface UnpublishFormProps {
  webinar: Webinar;
  onClose: () => void;
}

export function UnpublishForm({ webinar, onClose }: UnpublishFormProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { mutate, isPending, error } = useMutation(
    trpc.webinars.unpublish.mutationOptions({
      onSuccess: async () => {
        await Promise.all([
          queryClient.invalidateQueries(trpc.webinars.pathFilter()),
          queryClient.invalidateQueries(trpc.sessions.pathFilter()),
        ]);
        notifications.show({ message: `“${webinar.title}” is a draft again.` });
        onClose();
      },
    }),
  );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        mutate({ webinarId: webinar.id });
      }}
    >
      <Stack gap="md">
        <Text size="sm">
          The webinar becomes a draft, and registration closes. Its future sessions are removed; publishing
          makes them again. This is refused while a session that has not ended has registrations.
        </Text>
        {error ? <FailureNotice error={error} /> : null}
        <FormActions
          submit="Unpublish"
          isPending={isPending}
          apiCall={{ operation: 'POST /webinars/{webinarId}/unpublish', params: { webinarId: webinar.id } }}
          onCancel={onClose}
        />
      </Stack>
    </form>
  );
}
