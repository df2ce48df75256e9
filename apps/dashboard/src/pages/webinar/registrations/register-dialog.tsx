import { Modal, Select, Stack, TextInput } from '@mantine/core';
import { isEmail, isNotEmpty, useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { FormActions } from '../../../components/form-actions.tsx';
import { Notice } from '../../../components/notice.tsx';
import { failureOf, fieldErrors } from '../../../failure.ts';
import { formatSessionTime } from '../../../format.ts';
import { useTRPC, type Webinar } from '../../../trpc.ts';

interface RegisterDialogProps {
  webinar: Webinar;
  isOpen: boolean;
  onClose: () => void;
}

const fields = ['name', 'email', 'sessionTime'];
const slotsMax = 20;

export function RegisterDialog({ webinar, isOpen, onClose }: RegisterDialogProps) {
  const trpc = useTRPC();
  const { data, error } = useQuery(
    trpc.sessions.slots.queryOptions(
      { webinarId: webinar.id, limit: slotsMax },
      { enabled: isOpen, gcTime: 0 },
    ),
  );
  const slots = data?.data;
  return (
    <Modal opened={isOpen} onClose={onClose} title="Register attendee">
      {error ? <FailureNotice error={error} /> : null}
      {slots?.length === 0 ? (
        <Notice tone="info">This webinar has no upcoming session, so registration is not possible.</Notice>
      ) : null}
      {slots?.[0] ? (
        <RegisterForm webinar={webinar} times={slots.map((slot) => slot.startsAt)} onClose={onClose} />
      ) : null}
    </Modal>
  );
}

interface RegisterFormProps {
  webinar: Webinar;
  /** The offered session times, soonest first. */
  times: string[];
  onClose: () => void;
}

function RegisterForm({ webinar, times, onClose }: RegisterFormProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const form = useForm({
    initialValues: { name: '', email: '', sessionTime: times[0] ?? '' },
    validate: {
      name: isNotEmpty('Enter a name.'),
      email: isEmail('Enter an e-mail address.'),
      sessionTime: isNotEmpty('Choose a session.'),
    },
  });
  const { mutate, isPending, error } = useMutation(
    trpc.registrations.create.mutationOptions({
      onSuccess: async ({ data }) => {
        await queryClient.invalidateQueries(trpc.registrations.list.queryFilter({ webinarId: webinar.id }));
        notifications.show({ message: `${data.name} is registered.` });
        onClose();
      },
      onError: (refusal) => form.setErrors(fieldErrors(failureOf(refusal), fields)),
    }),
  );
  return (
    <form onSubmit={form.onSubmit((values) => mutate({ webinarId: webinar.id, ...values }))} noValidate>
      <Stack gap="md">
        <TextInput label="Name" autoComplete="off" data-autofocus {...form.getInputProps('name')} />
        <TextInput label="Email" type="email" autoComplete="off" {...form.getInputProps('email')} />
        <Select
          label="Session"
          allowDeselect={false}
          data={times.map((time) => ({ value: time, label: formatSessionTime(time, webinar.timezone) }))}
          {...form.getInputProps('sessionTime')}
        />
        {error ? <FailureNotice error={error} shownPaths={fields} /> : null}
        <FormActions submit="Register" isPending={isPending} onCancel={onClose} />
      </Stack>
    </form>
  );
}
