import { Button, Group, Modal, Text, Textarea } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { skipToken, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { DialogForm } from '../../components/dialog-form.tsx';
import { Part } from '../../components/facts.tsx';
import { failureOf } from '../../failure.ts';
import { useTRPC, type RevenueEventDetails } from '../../trpc.ts';
import { useWorkspace } from '../../workspace.ts';
import { AttendeeFilter } from '../delivery/delivery-filters.tsx';
import styles from './revenue-details.module.css';

interface Choice {
  /** Null takes the credit away. Undefined until a person is chosen. */
  registrationId: string | null | undefined;
}

/** Lets an owner credit the payment by hand, take its credit away or leave it to the rule again. */
export function CreditActions({ event }: { event: RevenueEventDetails }) {
  const { workspace } = useWorkspace();
  const [choice, setChoice] = useState<Choice>();
  const { credit, paymentId } = event;
  const isOwner = workspace.role === 'owner';
  const isCredited = credit.level !== 'unattributed';
  if (paymentId === null) return null;
  return (
    <>
      {isCredited || credit.decision ? null : (
        <NearMatches
          event={event}
          onChoose={isOwner ? (registrationId) => setChoice({ registrationId }) : undefined}
        />
      )}
      {isOwner ? (
        <Group gap="xs">
          <Button variant="default" size="xs" onClick={() => setChoice({ registrationId: undefined })}>
            {isCredited ? 'Credit another person' : 'Credit by hand'}
          </Button>
          {isCredited ? (
            <Button variant="default" size="xs" onClick={() => setChoice({ registrationId: null })}>
              Take the credit away
            </Button>
          ) : null}
          {credit.decision ? <EndDecision eventId={event.id} /> : null}
        </Group>
      ) : (
        <Text size="xs" c="dimmed">
          Owners can credit a payment by hand.
        </Text>
      )}
      <Modal
        opened={choice !== undefined}
        onClose={() => setChoice(undefined)}
        title={choice?.registrationId === null ? 'Take the credit away' : 'Credit by hand'}
      >
        {choice ? <DecideForm event={event} first={choice} onClose={() => setChoice(undefined)} /> : null}
      </Modal>
    </>
  );
}

interface NearMatchesProps {
  event: RevenueEventDetails;
  /** Undefined for members, who cannot credit. */
  onChoose: ((registrationId: string) => void) | undefined;
}

/** People whose address is that of the buyer, or nearly. */
function NearMatches({ event: { id, email }, onChoose }: NearMatchesProps) {
  const trpc = useTRPC();
  const { data } = useQuery(
    trpc.revenue.nearMatches.queryOptions(email === null ? skipToken : { revenueEventId: id }),
  );
  if (!data || data.data.length === 0) return null;
  return (
    <Part title="Registered with this address, or nearly">
      <ul className={styles['others']}>
        {data.data.map((person) => (
          <li key={person.registrationId}>
            {person.email} ({person.name}), registered for “{person.webinarTitle}”{' '}
            {onChoose ? (
              <Button
                variant="subtle"
                size="compact-xs"
                aria-label={`Credit ${person.email}`}
                onClick={() => onChoose(person.registrationId)}
              >
                Credit
              </Button>
            ) : null}
          </li>
        ))}
      </ul>
    </Part>
  );
}

interface DecideFormProps {
  event: RevenueEventDetails;
  first: Choice;
  onClose: () => void;
}

const whyMax = 300;

function DecideForm({ event, first, onClose }: DecideFormProps) {
  const [registrationId, setRegistrationId] = useState(first.registrationId);
  const [why, setWhy] = useState('');
  const trpc = useTRPC();
  const changed = useChanged();
  const { mutate, isPending, error } = useMutation(
    trpc.revenue.decideCredit.mutationOptions({
      async onSuccess() {
        onClose();
        await changed();
      },
    }),
  );
  const isTaken = registrationId === null;
  return (
    <DialogForm
      submit={isTaken ? 'Take the credit away' : 'Credit'}
      isPending={isPending}
      isDisabled={registrationId === undefined || why.trim() === ''}
      error={error}
      onSubmit={() => {
        if (registrationId !== undefined) mutate({ revenueEventId: event.id, registrationId, why });
      }}
      onCancel={onClose}
    >
      <Text size="sm">
        {isTaken
          ? 'The payment with its refunds and renewals is credited to no webinar, also after later events.'
          : 'The payment with its refunds and renewals is credited to this person: to their last offer click, else to their session. Rules do not fire for it, nor for its later refunds and renewals.'}
      </Text>
      {isTaken ? null : (
        <AttendeeFilter webinarId={undefined} value={registrationId} onChange={setRegistrationId} />
      )}
      <Textarea
        label="Why"
        description="Shown in the explanation of the credit, with your name."
        placeholder="Paid with the address of her company"
        autosize
        minRows={2}
        maxLength={whyMax}
        value={why}
        onChange={(change) => setWhy(change.currentTarget.value)}
      />
    </DialogForm>
  );
}

function EndDecision({ eventId }: { eventId: string }) {
  const trpc = useTRPC();
  const changed = useChanged();
  const { mutate, isPending } = useMutation(
    trpc.revenue.endDecision.mutationOptions({
      onSuccess: changed,
      onError: (error) => notifications.show({ color: 'red', message: failureOf(error).message }),
    }),
  );
  return (
    <Button
      variant="default"
      size="xs"
      loading={isPending}
      title="The rule of attribution credits the payment again"
      onClick={() => mutate({ revenueEventId: eventId })}
    >
      Leave it to the rule
    </Button>
  );
}

/** Reads sums, lists and the open event again. */
function useChanged() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries(trpc.revenue.pathFilter());
}
