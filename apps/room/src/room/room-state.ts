// The state of a page of a session. Pure: each function returns a new state.
import type {
  ChatMessage,
  FeedItem,
  HeartbeatOutput,
  PathState,
  PollResults,
  VisitOutput,
} from './protocol.ts';

/** A message of this attendee that the service has not confirmed yet. */
export interface Draft {
  key: number;
  text: string;
  replyTo: ChatMessage['replyTo'];
  problem: string | undefined;
}

export interface RoomState {
  visit: VisitOutput;
  session: VisitOutput['session'];
  interactions: VisitOutput['interactions'];
  interactionsVersion: string;
  path: PathState | null;
  /** In the order of their ids, which is the order of time. */
  messages: readonly ChatMessage[];
  drafts: readonly Draft[];
  /** Hidden by the host. The feed may bring one of them again. */
  hiddenIds: ReadonlySet<string>;
  results: Readonly<Record<string, PollResults>>;
  /** Changes when the host sets the position of an API-controlled session. */
  led: { positionSeconds: number; count: number } | undefined;
}

/** A page that is open for hours keeps this many messages. */
const messagesMax = 500;

export const enterRoom = (visit: VisitOutput, before?: RoomState): RoomState => ({
  visit,
  session: visit.session,
  interactions: visit.interactions,
  interactionsVersion: visit.interactionsVersion,
  path: visit.path,
  messages: before?.messages ?? [],
  drafts: before?.drafts ?? [],
  hiddenIds: before?.hiddenIds ?? new Set(),
  results: before?.results ?? {},
  led: before?.led,
});

export function applyItem(state: RoomState, item: FeedItem): RoomState {
  switch (item.type) {
    case 'message':
      return addMessage(state, item);
    case 'hidden':
      return {
        ...state,
        hiddenIds: new Set([...state.hiddenIds, item.id]),
        messages: state.messages.filter(({ id }) => id !== item.id),
      };
    case 'poll':
      return { ...state, results: { ...state.results, [item.interactionId]: item.results } };
    case 'session': {
      const { status, startsAt, endsAt } = item;
      return state.session.isReplay
        ? state
        : { ...state, session: { ...state.session, status, startsAt, endsAt } };
    }
    case 'progress':
      break;
  }
  if (state.session.isReplay) return state;
  return {
    ...state,
    session: { ...state.session, status: item.status, positionSeconds: item.positionSeconds },
    led: { positionSeconds: item.positionSeconds, count: (state.led?.count ?? 0) + 1 },
  };
}

function addMessage(state: RoomState, message: ChatMessage): RoomState {
  if (state.hiddenIds.has(message.id)) return state;
  const others = state.messages.filter(({ id }) => id !== message.id);
  const last = others.at(-1);
  const isNewest = last === undefined || last.id < message.id;
  const messages = isNewest
    ? [...others, message]
    : [...others, message].toSorted((one, other) => (one.id < other.id ? -1 : 1));
  return { ...state, messages: messages.slice(-messagesMax) };
}

/**
 * `sentPath` is the path when the heartbeat was sent. A viewer who has taken a branch since then keeps the new path: the answer may be
 * older.
 */
export const applyHeartbeat = (
  state: RoomState,
  answer: HeartbeatOutput,
  sentPath: PathState | null,
): RoomState => ({
  ...state,
  session: state.session.isReplay ? state.session : { ...state.session, status: answer.status },
  interactions: answer.interactions ?? state.interactions,
  interactionsVersion: answer.interactionsVersion ?? state.interactionsVersion,
  path: answer.path === undefined || state.path !== sentPath ? state.path : answer.path,
});

interface Vote {
  interactionId: string;
  optionId: string;
  /** Null when the poll never shows its results. */
  results: PollResults | null;
}

/** Records a vote that the service has taken. */
export const applyVote = (state: RoomState, { interactionId, optionId, results }: Vote): RoomState => ({
  ...state,
  interactions: state.interactions.map((one) =>
    one.id === interactionId ? { ...one, answered: [...new Set([...(one.answered ?? []), optionId])] } : one,
  ),
  results: results ? { ...state.results, [interactionId]: results } : state.results,
});

interface Confirmed {
  key: number;
  id: string;
  sentAt: string;
  name: string;
}

/** Turns a draft into a message. The feed brings the same message, with the same id. */
export function confirmDraft(state: RoomState, { key, id, sentAt, name }: Confirmed): RoomState {
  const draft = state.drafts.find((one) => one.key === key);
  const without = { ...state, drafts: state.drafts.filter((one) => one.key !== key) };
  if (!draft || without.messages.some((message) => message.id === id)) return without;
  const { text, replyTo } = draft;
  return addMessage(without, {
    type: 'message',
    id,
    name,
    text,
    sentAt,
    own: true,
    role: 'attendee',
    replyTo,
  });
}

export type Stage = 'waiting' | 'playing' | 'over';

/** The stage of a session by the server's clock, so that a page changes from lobby to room without a call. */
export function stageAt({ session }: Pick<RoomState, 'session'>, nowMs: number): Stage {
  const { status, pace, isReplay } = session;
  if (isReplay) return 'playing';
  if (status === 'ended' || status === 'cancelled') return 'over';
  if (pace === 'led') return status === 'live' ? 'playing' : 'waiting';
  if (nowMs < Date.parse(session.startsAt)) return 'waiting';
  return nowMs < Date.parse(session.endsAt) ? 'playing' : 'over';
}
