import '../../../components/choices.css';
import { Button, List, Radio, Select, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { DialogForm } from '../../../components/dialog-form.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { Notice } from '../../../components/notice.tsx';
import { SessionTime } from '../../../components/session-time.tsx';
import { formatCount, formatPlural } from '../../../format.ts';
import {
  useTRPC,
  useTRPCClient,
  type PeopleMoves,
  type ServiceClient,
  type Session,
  type Webinar,
} from '../../../trpc.ts';
import { peopleText } from '../people-text.ts';
import { slotText } from '../registrations/registration-texts.ts';
import { useSlots } from '../registrations/use-registrations.ts';
import { useSessionsChanged } from './use-sessions.ts';

interface CancelSessionProps {
  webinar: Webinar;
  session: Session;
  onClose: () => void;
}

/** Cancels a session, and moves its people to another one first if the member wants that. Of a cancelled session it moves the people. */
export function CancelSession({ webinar, session, onClose }: CancelSessionProps) {
  const client = useTRPCClient();
  const changed = useSessionsChanged();
  const [choice, setChoice] = useState<'move' | 'stay'>('move');
  const [target, setTarget] = useState<string | null>(null);
  const [problem, setProblem] = useState<string>();
  const [known, setKnown] = useState(session.registrationCount);
  const [moved, setMoved] = useState(0);
  const [isCancelling, setCancelling] = useState(false);
  /** The people who could not be moved. The session is not cancelled before a second click. */
  const [left, setLeft] = useState<Left>();
  const { webinarId, id: sessionId, startsAt } = session;
  const count = left?.count ?? known;
  const params = { webinarId, sessionId };
  const isCancelled = session.status === 'cancelled';
  const targets = useTargets(webinar, session);
  const canMove = count > 0 && targets.data?.length !== 0;
  const moves = left === undefined && (isCancelled || (canMove && choice === 'move'));

  const chooseAgain = () => {
    setKnown(count);
    setLeft(undefined);
    setTarget(null);
    setMoved(0);
  };
  const run = useRef<AbortController>(undefined);
  // Closing the dialog ends the moves after the present call, and the session is not cancelled, unless that was sent already.
  useEffect(() => () => run.current?.abort(), []);
  const { mutate, isPending, error } = useMutation({
    async mutationFn() {
      setMoved(0);
      setCancelling(false);
      run.current = new AbortController();
      let movedNow = 0;
      const onMoved = (sum: number) => {
        movedNow = sum;
        setMoved(sum);
      };
      if (moves) {
        const { signal } = run.current;
        const staying = await movePeople(client, { ...params, sessionTime: target! }, { onMoved, signal });
        if (!staying) return { stoppedAt: movedNow };
        if (staying.count > 0) return { staying };
      }
      if (isCancelled) return {};
      setCancelling(true);
      await client.sessions.cancel.mutate(params);
      return {};
    },
    onSuccess({ stoppedAt, staying }) {
      if (stoppedAt !== undefined) {
        setKnown(count - stoppedAt);
        notifications.show({
          message: `Stopped. ${peopleText(stoppedAt)} moved.${isCancelled ? '' : ' The session was not cancelled.'}`,
        });
        return;
      }
      setLeft(staying);
      if (staying) return;
      notifications.show({ message: isCancelled ? 'The people were moved.' : 'The session was cancelled.' });
      onClose();
    },
    // Some may have been moved although the next call failed.
    onSettled: changed,
  });

  const isMoving = isPending && moves && !isCancelling;
  return (
    <DialogForm
      submit={isCancelled ? 'Move people' : moves ? 'Move and cancel' : 'Cancel session'}
      cancel={isMoving ? 'Stop' : isCancelled || isPending ? 'Close' : 'Keep session'}
      isCancelFirst
      isDisabled={left !== undefined && isCancelled}
      color="red"
      isPending={isPending}
      error={error}
      apiCall={
        isCancelled
          ? undefined
          : { operation: 'POST /webinars/{webinarId}/sessions/{sessionId}/cancel', params }
      }
      onSubmit={() => {
        if (moves && target === null) setProblem('Choose a session.');
        else mutate();
      }}
      onCancel={() => {
        if (isMoving) run.current?.abort();
        else onClose();
      }}
    >
      <Text size="sm">
        The session of <SessionTime at={startsAt} timeZone={webinar.timezone} />{' '}
        {isCancelled ? 'was cancelled.' : 'will not take place. Cancelling cannot be undone.'}
      </Text>
      {left ? (
        <>
          <StayingPeople left={left} moved={moved} isCancelled={isCancelled} />
          <Button variant="default" style={{ alignSelf: 'flex-start' }} onClick={chooseAgain}>
            Choose another session
          </Button>
        </>
      ) : (
        <>
          {targets.error ? (
            <FailureNotice error={targets.error} onRetry={() => void targets.refetch()} />
          ) : null}
          {count > 0 && !canMove ? (
            <Notice tone="info">The webinar has no other session to which people could be moved.</Notice>
          ) : null}
          {canMove && !isCancelled ? (
            <Radio.Group
              label={`${peopleText(count)} ${count === 1 ? 'is' : 'are'} registered`}
              value={choice}
              onChange={setChoice}
            >
              <Stack gap="xs" mt="xs">
                <Radio
                  value="move"
                  label="Move them to another session first"
                  description="Join links stay the same. They get the e-mail about a new time, if it is switched on."
                />
                <Radio
                  value="stay"
                  label="Leave them on the cancelled session"
                  description="They get the e-mail about a cancelled session, if it is switched on."
                />
              </Stack>
            </Radio.Group>
          ) : null}
          {moves ? (
            <Select
              label="New session"
              placeholder="Choose a session"
              description={
                target
                  ? placesText(count, targets.data?.find(({ value }) => value === target)?.free)
                  : undefined
              }
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              allowDeselect={false}
              data={(targets.data ?? []).map(({ value, label, free }) => ({
                value,
                label: free === undefined ? label : `${label}, ${formatPlural(free, 'free place')}`,
                disabled: free === 0,
              }))}
              value={target}
              onChange={(value) => {
                setTarget(value);
                setProblem(undefined);
              }}
              error={problem}
            />
          ) : null}
          {isPending && moves ? (
            <Text size="sm" role="status">
              {formatCount(moved)} of {peopleText(count)} moved
              {isCancelling ? '. The session is being cancelled.' : ''}
            </Text>
          ) : null}
          {isCancelled ? null : (
            <List size="sm" spacing={4}>
              {consequences(session, { count, canMove }).map((text) => (
                <List.Item key={text}>{text}</List.Item>
              ))}
            </List>
          )}
        </>
      )}
    </DialogForm>
  );
}

function consequences(
  { status }: Session,
  { count, canMove }: { count: number; canMove: boolean },
): string[] {
  const registered = `${peopleText(count)} ${count === 1 ? 'is' : 'are'} registered.`;
  return [
    ...(count === 0 ? ['No one is registered.'] : []),
    ...(count > 0 && !canMove
      ? [`${registered} They get the e-mail about a cancelled session, if it is switched on.`]
      : []),
    'Rules before and after the session send nothing for it, and no one becomes a no-show.',
    ...(status === 'live' ? ['Attendees in the room count as left a few seconds later.'] : []),
    'Registration for this time closes. The schedule does not offer it again.',
  ];
}

/** The sessions to which people can be moved, with their free places if the webinar has a limit. */
function useTargets({ id: webinarId, timezone, registrationForm }: Webinar, session: Session) {
  const trpc = useTRPC();
  const slots = useSlots(webinarId);
  const { capacityPerSession: capacity } = registrationForm;
  const counted = useQuery(
    trpc.sessions.listByStart.queryOptions(
      { webinarId, when: 'upcoming', limit: 100 },
      { enabled: capacity !== null },
    ),
  );
  const counts = new Map(counted.data?.data.map(({ id, registrationCount }) => [id, registrationCount]));
  return {
    ...slots,
    data: slots.data
      ?.filter(({ sessionId, startsAt }) => sessionId !== session.id && startsAt !== session.startsAt)
      .map((slot) => ({
        value: slot.startsAt,
        label: slotText(slot, timezone),
        free: capacity === null ? undefined : Math.max(capacity - (counts.get(slot.sessionId ?? '') ?? 0), 0),
      })),
  };
}

function placesText(count: number, free: number | undefined): string | undefined {
  if (free === undefined || free >= count) return undefined;
  return `${formatPlural(free, 'place')} ${free === 1 ? 'is' : 'are'} free, so ${peopleText(count - free)} will stay.`;
}

interface Move {
  webinarId: string;
  sessionId: string;
  /** The start of the other session. */
  sessionTime: string;
}

/** The people who stay in the session. */
interface Left {
  count: number;
  /** The first of them, with their reasons. */
  named: PeopleMoves['refused'];
}

const namedMax = 10;

interface Run {
  onMoved: (count: number) => void;
  signal: AbortSignal;
}

/**
 * Moves all people that can be moved. Returns those who stay, or undefined if it was stopped before the next call. It can be
 * repeated: people who were moved are not moved again.
 */
export async function movePeople(
  { registrations, sessions }: ServiceClient,
  input: Move,
  { onMoved, signal }: Run,
): Promise<Left | undefined> {
  const named: PeopleMoves['refused'] = [];
  let moved = 0;
  for (let after: string | null | undefined; after !== null;) {
    if (signal.aborted) return undefined;
    const { data } = await registrations.movePeople.mutate({ ...input, ...(after && { after }) });
    moved += data.moved;
    onMoved(moved);
    named.push(...data.refused.slice(0, namedMax - named.length));
    after = data.next;
  }
  const { webinarId, sessionId } = input;
  const { data: session } = await sessions.get.query({ webinarId, sessionId });
  // Checked last, because a cancellation may follow.
  return signal.aborted ? undefined : { count: session.registrationCount, named };
}

const reasonTexts: Record<PeopleMoves['refused'][number]['reason'], string> = {
  full: 'no place is left',
  registered: 'is registered for that session already',
  joined: 'has joined this session',
};

function StayingPeople({ left, moved, isCancelled }: { left: Left; moved: number; isCancelled: boolean }) {
  const { count, named } = left;
  const more = count - named.length;
  return (
    <Notice tone="warn">
      <Text size="sm" role="status">
        {peopleText(moved)} moved. {peopleText(count)} could not be moved:
      </Text>
      <List size="sm">
        {named.map(({ registrationId, name, reason }) => (
          <List.Item key={registrationId} style={{ overflowWrap: 'anywhere' }}>
            {name}: {reasonTexts[reason]}
          </List.Item>
        ))}
        {more > 0 ? <List.Item>{formatCount(more)} more</List.Item> : null}
      </List>
      {isCancelled ? null : (
        <Text size="sm">
          The session is not cancelled yet. If you cancel it, they stay registered for the cancelled session.
        </Text>
      )}
    </Notice>
  );
}
