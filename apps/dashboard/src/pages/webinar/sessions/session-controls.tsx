import { Button, Group, Modal, Select, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { PositionField } from '../../../components/number-field.tsx';
import { formatPosition, parsePosition } from '../../../time-text.ts';
import { useTRPC, type Session, type Webinar } from '../../../trpc.ts';
import styles from './session-controls.module.css';
import { useSessionsChanged } from './use-sessions.ts';

interface SessionControlsProps {
  session: Session;
  webinar: Webinar;
}

type Confirmed = 'end' | 'reset';

/** The calls that run an API-controlled session, as buttons. */
export function SessionControls({ session, webinar }: SessionControlsProps) {
  const [asking, setAsking] = useState<Confirmed>();
  const { progress, reset, isPending, error } = useControls(session, () => setAsking(undefined));
  const { status } = session;
  const confirm = { end: () => progress({ action: 'end' }), reset };
  return (
    <section className={styles['controls']} aria-label="Controls">
      <Title order={3}>Controls</Title>
      <Text size="sm" c="dimmed">
        This session follows your calls or these buttons only. Attendees in the room see each change at once.
      </Text>
      {status === 'scheduled' ? (
        <Control text="Opens the video for attendees, at the beginning.">
          <Button loading={isPending} onClick={() => progress({ action: 'start' })}>
            Start session
          </Button>
        </Control>
      ) : null}
      {status === 'live' ? (
        <>
          <Seek session={session} webinar={webinar} isPending={isPending} onSeek={progress} />
          {webinar.kind === 'adaptive' ? (
            <Advance session={session} isPending={isPending} onAdvance={progress} />
          ) : null}
          <Control text="Ends the video for everyone. Absent attendees become no-shows after the grace time.">
            <Button color="red" variant="light" onClick={() => setAsking('end')}>
              End session…
            </Button>
          </Control>
        </>
      ) : null}
      {status === 'live' || status === 'ended' ? (
        <Control text="Sets the session back to before its start, at position 0:00.">
          <Button variant="default" onClick={() => setAsking('reset')}>
            Reset…
          </Button>
        </Control>
      ) : null}
      {error && asking === undefined ? <FailureNotice error={error} /> : null}
      <Modal
        opened={asking !== undefined}
        onClose={() => setAsking(undefined)}
        title={asking === 'reset' ? 'Reset session' : 'End session'}
      >
        {asking ? (
          <Stack gap="md">
            <Text size="sm">{confirmTexts[asking]}</Text>
            {error ? <FailureNotice error={error} /> : null}
            <Group justify="flex-end" gap="xs">
              <Button variant="default" onClick={() => setAsking(undefined)} data-autofocus>
                Go back
              </Button>
              <Button color="red" loading={isPending} onClick={confirm[asking]}>
                {asking === 'reset' ? 'Reset session' : 'End session'}
              </Button>
            </Group>
          </Stack>
        ) : null}
      </Modal>
    </section>
  );
}

const confirmTexts: Record<Confirmed, string> = {
  end: 'The video ends for everyone in the room, and rules after the session begin to count from now.',
  reset:
    'The session can be started again. Attendance and events that were recorded stay. Rules that wait for the time after the session are stopped.',
};

type Progress = { action: 'start' | 'end' } | { action: 'seek'; positionSeconds: number } | Advance;
interface Advance {
  action: 'advance';
  segmentId: string;
}

function useControls({ webinarId, id: sessionId }: Session, onDone: () => void) {
  const trpc = useTRPC();
  const changed = useSessionsChanged();
  const onSuccess = async () => {
    await changed();
    onDone();
  };
  const progress = useMutation(trpc.sessions.progress.mutationOptions({ onSuccess }));
  const reset = useMutation(trpc.sessions.reset.mutationOptions({ onSuccess }));
  return {
    progress(move: Progress) {
      reset.reset();
      progress.mutate({ webinarId, sessionId, ...move });
    },
    reset() {
      progress.reset();
      reset.mutate({ webinarId, sessionId });
    },
    isPending: progress.isPending || reset.isPending,
    error: progress.error ?? reset.error,
  };
}

interface SeekProps extends SessionControlsProps {
  isPending: boolean;
  onSeek: (move: Progress) => void;
}

function Seek({ session, webinar, isPending, onSeek }: SeekProps) {
  const [text, setText] = useState(() => formatPosition(session.positionSeconds));
  const seconds = parsePosition(text);
  const problem = seekProblem(seconds, webinar.durationSeconds);
  const send = () => {
    if (seconds !== undefined && problem === undefined) onSeek({ action: 'seek', positionSeconds: seconds });
  };
  return (
    <form
      className={styles['control']}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <PositionField
        className={styles['field']}
        label="Position"
        description={`Now at ${formatPosition(session.positionSeconds)} of ${formatPosition(webinar.durationSeconds)}.`}
        value={text}
        onChange={setText}
        error={problem}
      />
      <Button type="submit" variant="default" loading={isPending}>
        Seek
      </Button>
    </form>
  );
}

function seekProblem(seconds: number | undefined, durationSeconds: number): string | undefined {
  if (seconds === undefined) return 'Enter a time such as 12:30.';
  return seconds > durationSeconds ? `At most ${formatPosition(durationSeconds)}, the length.` : undefined;
}

interface AdvanceProps {
  session: Session;
  isPending: boolean;
  onAdvance: (move: Progress) => void;
}

function Advance({ session, isPending, onAdvance }: AdvanceProps) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.segments.list.queryOptions({ webinarId: session.webinarId }));
  const [segmentId, setSegmentId] = useState<string | null>(session.currentSegmentId);
  return (
    <form
      className={styles['control']}
      onSubmit={(event) => {
        event.preventDefault();
        if (segmentId) onAdvance({ action: 'advance', segmentId });
      }}
    >
      <Select
        className={styles['field']}
        label="Segment"
        description="Moves everyone in the room to this part."
        data={(data?.data ?? []).map(({ id, title }) => ({ value: id, label: title }))}
        value={segmentId}
        onChange={setSegmentId}
        allowDeselect={false}
      />
      <Button type="submit" variant="default" loading={isPending} disabled={segmentId === null}>
        Advance
      </Button>
    </form>
  );
}

function Control({ text, children }: { text: string; children: React.ReactNode }) {
  return (
    <div className={styles['control']}>
      <Text size="sm" className={styles['field']}>
        {text}
      </Text>
      {children}
    </div>
  );
}
