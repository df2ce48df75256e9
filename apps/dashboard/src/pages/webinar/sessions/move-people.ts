import type { PeopleMoves, ServiceClient } from '../../../trpc.ts';

export interface Move {
  webinarId: string;
  sessionId: string;
  /** The start of the other session. */
  sessionTime: string;
}

/** The people who stay in the session. */
export interface Left {
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
