import { Select, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { FormActions } from '../../../components/dialog-form.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { Notice } from '../../../components/notice.tsx';
import { SessionTime } from '../../../components/session-time.tsx';
import { failureOf } from '../../../failure.ts';
import { useTRPC, type Registration, type Webinar } from '../../../trpc.ts';
import { slotText } from './registration-texts.ts';
import { useRegistrationsChanged, useSlots } from './use-registrations.ts';

/** The codes that refuse the chosen session. */
const ofSession: ReadonlySet<string> = new Set([
  'session_full',
  'session_time_unavailable',
  'registration_exists',
]);

interface MoveFormProps {
  webinar: Webinar;
  registration: Registration;
  onClose: () => void;
}

export function MoveForm({ webinar, registration, onClose }: MoveFormProps) {
  const trpc = useTRPC();
  const changed = useRegistrationsChanged();
  const slots = useSlots(webinar.id);
  const offered = slots.data?.filter(({ startsAt }) => startsAt !== registration.sessionTime);
  const [chosen, setChosen] = useState<string | null>(null);
  const [problem, setProblem] = useState<string>();
  const { webinarId, id: registrationId, name } = registration;
  const { mutate, isPending, error, reset } = useMutation(
    trpc.registrations.move.mutationOptions({
      onSuccess: async () => {
        await changed();
        notifications.show({ message: `${name} was moved.` });
        onClose();
      },
    }),
  );
  const failure = error ? failureOf(error) : undefined;
  const refusal = failure && ofSession.has(failure.code) ? failure.message : undefined;
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (chosen === null) setProblem('Choose a session.');
        else mutate({ webinarId, registrationId, sessionTime: chosen });
      }}
    >
      <Stack gap="md">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          <strong>{name}</strong> is registered for{' '}
          <SessionTime at={registration.sessionTime} timeZone={webinar.timezone} />. The join link stays the
          same. No message is sent, and rules for a new registration do not fire again.
        </Text>
        {slots.error ? <FailureNotice error={slots.error} onRetry={() => void slots.refetch()} /> : null}
        {offered?.length === 0 ? (
          <Notice tone="info">The webinar has no other session that can be booked.</Notice>
        ) : null}
        <Select
          data-autofocus
          autoFocus
          label="New session"
          placeholder="Choose a session"
          allowDeselect={false}
          data={(offered ?? []).map((slot) => ({
            value: slot.startsAt,
            label: slotText(slot, webinar.timezone),
          }))}
          value={chosen}
          onChange={(value) => {
            setChosen(value);
            setProblem(undefined);
            reset();
          }}
          error={problem ?? refusal}
        />
        {error && refusal === undefined ? <FailureNotice error={error} /> : null}
        <FormActions
          submit="Move"
          isPending={isPending}
          apiCall={{
            operation: 'POST /webinars/{webinarId}/registrations/{registrationId}/move',
            params: { webinarId, registrationId },
            body: { sessionTime: chosen },
          }}
          onCancel={onClose}
        />
      </Stack>
    </form>
  );
}
