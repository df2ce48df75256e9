import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { failureOf } from '../../failure.ts';
import { useTRPC, type Webinar } from '../../trpc.ts';

export function PublishButton({ webinar }: { webinar: Webinar }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { mutate, isPending } = useMutation(
    trpc.webinars.publish.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries(trpc.webinars.pathFilter());
        notifications.show({ message: `“${webinar.title}” is published. Attendees can register.` });
      },
      onError: (error) => {
        const { message, issues, requestId } = failureOf(error);
        const reasons = [
          message,
          ...issues.map((issue) => issue.message),
          requestId && `Request ${requestId}`,
        ];
        notifications.show({
          color: 'red',
          title: 'Not published',
          message: reasons.filter(Boolean).join(' '),
        });
      },
    }),
  );
  return (
    <Button loading={isPending} onClick={() => mutate({ webinarId: webinar.id })}>
      Publish
    </Button>
  );
}
