import '../../../components/choices.css';
import { Button, Group, List, Select, Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { DialogForm, Question } from '../../../components/dialog-form.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { Notice } from '../../../components/notice.tsx';
import { SessionTime } from '../../../components/session-time.tsx';
import { saveCsv } from '../../../csv.ts';
import { failureOf } from '../../../failure.ts';
import { useTRPC, useTRPCClient, type Registration, type Webinar } from '../../../trpc.ts';
import { peopleText } from '../people-text.ts';
import { JoinLink } from './join-link.tsx';
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
    <DialogForm
      submit="Move"
      isPending={isPending}
      error={refusal === undefined ? error : null}
      apiCall={{
        operation: 'POST /webinars/{webinarId}/registrations/{registrationId}/move',
        params: { webinarId, registrationId },
        body: { sessionTime: chosen },
      }}
      onSubmit={() => {
        if (chosen === null) setProblem('Choose a session.');
        else mutate({ webinarId, registrationId, sessionTime: chosen });
      }}
      onCancel={onClose}
    >
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        <strong>{name}</strong> is registered for{' '}
        <SessionTime at={registration.sessionTime} timeZone={webinar.timezone} />. The join link stays the
        same. They get the e-mail about a new time, if it is switched on. Rules for a new registration do not
        fire again.
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
    </DialogForm>
  );
}

interface RotateLinksProps {
  registrations: readonly Registration[];
  onClose: () => void;
}

/** Each follows the name of the person, or the number of people. */
const textsOfOne = {
  question:
    'gets a new join link. The old one stops working at once, also in a room that is open with it, and so do the links of offers that ' +
    'were made for this person.',
  confirm: 'Make new link',
  cancel: 'Keep the old link',
  done: 'has a new join link. Send it to them: the service sends no e-mail.',
};

const textsOfSeveral: typeof textsOfOne = {
  question:
    'get new join links. The old ones stop working at once, also in a room that is open with one of them, and so do the links of offers ' +
    'that were made for these people.',
  confirm: 'Make new links',
  cancel: 'Keep the old links',
  done: 'have new join links. Send them the new links: the service sends no e-mail.',
};

/** Asks before join links are replaced. Shows the new one, or offers several as a file. */
export function RotateLinks({ registrations, onClose }: RotateLinksProps) {
  const client = useTRPCClient();
  const changed = useRegistrationsChanged();
  const [made, setMade] = useState<Registration[]>();
  const one = registrations.length === 1 ? registrations[0] : undefined;
  const texts = one ? textsOfOne : textsOfSeveral;
  const people = <strong>{one?.name ?? peopleText(registrations.length)}</strong>;
  if (made) {
    return (
      <Stack gap="md">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {people} {texts.done}
        </Text>
        {one ? <JoinLink url={made[0]!.joinUrl} /> : null}
        <Group justify="flex-end" gap="xs">
          {one ? null : (
            <Button variant="default" onClick={() => saveRegistrations('Join links', made)}>
              Download the links
            </Button>
          )}
          <Button onClick={onClose}>Done</Button>
        </Group>
      </Stack>
    );
  }
  return (
    <Question
      text={
        <>
          {people} {texts.question}
        </>
      }
      confirm={texts.confirm}
      cancel={texts.cancel}
      apiCall={
        one && {
          operation: 'POST /webinars/{webinarId}/registrations/{registrationId}/rotate-token',
          params: { webinarId: one.webinarId, registrationId: one.id },
        }
      }
      // Calls of one moment go in few requests.
      act={() =>
        Promise.all(
          registrations.map(async ({ webinarId, id: registrationId }) => {
            const { data } = await client.registrations.rotateToken.mutate({ webinarId, registrationId });
            return data;
          }),
        )
      }
      onDone={(answers) => setMade(answers)}
      // Some may have a new link although another call failed.
      onSettled={changed}
      onClose={onClose}
    />
  );
}

interface CancelRegistrationsProps {
  registrations: readonly Registration[];
  onClose: () => void;
  onDone: () => void;
}

/** Asks before registrations are cancelled. */
export function CancelRegistrations({ registrations, onClose, onDone }: CancelRegistrationsProps) {
  const client = useTRPCClient();
  const changed = useRegistrationsChanged();
  const [first] = registrations;
  const isOne = registrations.length === 1;
  return (
    <Question
      text={
        <>
          <strong>{isOne ? first?.name : peopleText(registrations.length)}</strong>{' '}
          {isOne ? 'gives up the place. The join link stops' : 'give up their places. Their join links stop'}{' '}
          working, and rules before and after the session send nothing for {isOne ? 'this person' : 'them'}.
          {isOne ? 'The person gets' : 'They get'} the e-mail about a cancellation, if it is switched on. A
          cancelled registration stays in the list; the person can register again.
        </>
      }
      confirm={isOne ? 'Cancel registration' : `Cancel ${registrations.length} registrations`}
      cancel="Keep"
      apiCall={
        isOne && first
          ? {
              operation: 'POST /webinars/{webinarId}/registrations/{registrationId}/cancel',
              params: { webinarId: first.webinarId, registrationId: first.id },
            }
          : undefined
      }
      act={() => cancelAll(client, registrations)}
      message={`${peopleText(registrations.length)} cancelled.`}
      onDone={onDone}
      // Some may be cancelled although another one failed.
      onSettled={changed}
      onClose={onClose}
    />
  );
}

/** Calls of one moment go in few requests. Cancelling again changes nothing, so it can be repeated after a failure. */
async function cancelAll(
  client: ReturnType<typeof useTRPCClient>,
  registrations: readonly Registration[],
): Promise<void> {
  const results = await Promise.allSettled(
    registrations.map(({ webinarId, id: registrationId }) =>
      client.registrations.cancel.mutate({ webinarId, registrationId }),
    ),
  );
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}

/** Asks before everything about a person is erased. The address is typed, because it cannot be undone. */
export function ErasePerson({
  registration: { name, email },
  onClose,
  onDone,
}: {
  registration: Pick<Registration, 'name' | 'email'>;
  onClose: () => void;
  onDone: () => void;
}) {
  const { registrations } = useTRPCClient();
  const changed = useRegistrationsChanged();
  const [typed, setTyped] = useState('');
  return (
    <Question
      text={
        <>
          This erases <strong>{name}</strong> ({email}) in this workspace. It cannot be undone, and the person
          gets no message.
        </>
      }
      confirm="Erase this person"
      cancel="Keep"
      isCancelFirst={false}
      isDisabled={typed.trim().toLowerCase() !== email}
      act={() => registrations.erasePerson.mutate({ email })}
      message="The person is being erased."
      onDone={async () => {
        await changed();
        onDone();
      }}
      onClose={onClose}
    >
      <List size="sm" spacing={4}>
        <List.Item>
          Erased now: all registrations with this address, of every webinar. The join links stop working.
        </List.Item>
        <List.Item>
          Erased within about ten minutes, or longer if a lot is stored: answers, messages, e-mails, and the
          history of webhooks and rules.
        </List.Item>
        <List.Item>
          Erased in your marketing tools when they next take changes. A tool that does not respond is tried
          for 30 days. If a tool cannot erase contacts, the history of its connection says so.
        </List.Item>
        <List.Item>
          Kept without the address: purchases, the API calls in Activity, and whether the person has
          unsubscribed.
        </List.Item>
        <List.Item>
          Not erased: your backups, exports and webhook endpoints, and messages of other people that name the
          person.
        </List.Item>
      </List>
      <TextInput
        label="Type the e-mail address to confirm"
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </Question>
  );
}

/** Saves the people of some rows as a file. */
export const saveRegistrations = (title: string, registrations: readonly Registration[]): void =>
  saveCsv(title, [
    ['name', 'email', 'phone', 'status', 'session_time', 'join_url', 'registration_id'],
    ...registrations.map((one) => [
      one.name,
      one.email,
      one.phone,
      one.status,
      one.sessionTime,
      one.joinUrl,
      one.id,
    ]),
  ]);
