// One page in a session: its visit, its feed, its heartbeats, and the actions of its attendee. The pages read `state` and are notified
// of each change.
import { createFeedClient, type FeedClient } from './feed-client.ts';
import {
  createHeartbeatQueue,
  type Beat,
  type HeartbeatQueue,
  type NumberedBeat,
  type SendOutcome,
} from './heartbeat-queue.ts';
import { RoomFailure, type ChatMessage, type FeedItem, type PathState } from './protocol.ts';
import type { RoomClient } from './room-client.ts';
import {
  applyHeartbeat,
  applyItem,
  applyVote,
  confirmDraft,
  enterRoom,
  type RoomState,
} from './room-state.ts';

export interface SessionSnapshot {
  room: RoomState | undefined;
  /** Why there is no room. */
  failure: RoomFailure | undefined;
  /** Calls or the feed do not get through. */
  isTroubled: boolean;
  /** The link was replaced, or the session ended without a replay: the page of the attendee says more. */
  isOver: boolean;
}

export type RoomSession = ReturnType<typeof createRoomSession>;

const enterAgainMs = 3000;

export function createRoomSession(api: RoomClient) {
  let snapshot: SessionSnapshot = { room: undefined, failure: undefined, isTroubled: false, isOver: false };
  const listeners = new Set<() => void>();
  const viewedIds = new Set<string>();
  let queue: HeartbeatQueue | undefined;
  let feed: FeedClient | undefined;
  let isEntering = false;
  let isClosed = false;
  let enterTimer: ReturnType<typeof setTimeout> | undefined;
  /** The path when the heartbeat on its way was sent. The queue sends one at a time. */
  let sentPath: PathState | null = null;
  let draftKey = 0;
  let troubles = { calls: false, feed: false };

  const publish = (changes: Partial<SessionSnapshot>): void => {
    snapshot = { ...snapshot, ...changes };
    for (const listener of listeners) listener();
  };
  const change = (update: (room: RoomState) => RoomState): void => {
    if (snapshot.room) publish({ room: update(snapshot.room) });
  };
  const noteTrouble = (changes: Partial<typeof troubles>): void => {
    troubles = { ...troubles, ...changes };
    const isTroubled = troubles.calls || troubles.feed;
    if (isTroubled !== snapshot.isTroubled) publish({ isTroubled });
  };

  const openFeed = (): void => {
    feed ??= createFeedClient({
      url: api.eventsUrl,
      onItem: (item: FeedItem) => change((room) => applyItem(room, item)),
      onState(state) {
        if (state === 'ended') publish({ isOver: true });
        else noteTrouble({ feed: state === 'trouble' });
      },
    });
  };

  const onOutcome = (outcome: SendOutcome): void => {
    noteTrouble({ calls: outcome.type === 'unreachable' });
    if (outcome.type === 'answered') change((room) => applyHeartbeat(room, outcome.answer, sentPath));
    if (outcome.type === 'lost') void enter();
  };

  const sendBeat = (beat: NumberedBeat): Promise<SendOutcome> => {
    sentPath = snapshot.room?.path ?? null;
    return api.beat(beat);
  };

  const enter = async (): Promise<void> => {
    clearTimeout(enterTimer);
    if (isEntering || isClosed) return;
    isEntering = true;
    try {
      const visit = await api.enter();
      if (isClosed) return;
      queue = createHeartbeatQueue({ visitId: visit.visitId, send: sendBeat, onOutcome });
      publish({ room: enterRoom(visit, snapshot.room), failure: undefined, isOver: false });
      noteTrouble({ calls: false });
      openFeed();
    } catch (error) {
      if (!(error instanceof RoomFailure)) throw error;
      noteTrouble({ calls: error.isPassing });
      publish({ failure: error, isOver: !error.isPassing });
      if (error.isPassing && !isClosed)
        enterTimer = setTimeout(
          () => void enter(),
          error.retryAfterMs ?? enterAgainMs * (0.5 + Math.random()),
        );
    } finally {
      isEntering = false;
    }
  };

  const send = async (draft: {
    key: number;
    text: string;
    replyTo: ChatMessage['replyTo'];
  }): Promise<void> => {
    const { key, text, replyTo } = draft;
    try {
      const { id, sentAt } = await api.say(text, replyTo?.id);
      change((room) => confirmDraft(room, { key, id, sentAt, name: room.visit.attendee.name }));
    } catch (error) {
      const problem = error instanceof RoomFailure ? error.code : 'unknown';
      change((room) => ({
        ...room,
        drafts: room.drafts.map((one) => (one.key === key ? { ...one, problem } : one)),
      }));
    }
  };

  return {
    /** Enters the session. */
    open(): Promise<void> {
      isClosed = false;
      return enter();
    },
    getSnapshot: (): SessionSnapshot => snapshot,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    beat(beat: Beat): void {
      const version = snapshot.room?.interactionsVersion;
      queue?.add({ ...beat, interactionsVersion: version });
    },
    /** Reports that the page shows an interaction, once for each page. */
    async view(interactionId: string): Promise<void> {
      if (viewedIds.has(interactionId)) return;
      viewedIds.add(interactionId);
      try {
        await api.view(interactionId);
      } catch (error) {
        // Tried again when the page shows it the next time.
        if (error instanceof RoomFailure && error.isPassing) viewedIds.delete(interactionId);
      }
    },
    /** Answers a poll. Returns the code of a refusal. */
    async vote(interactionId: string, optionId: string): Promise<string | undefined> {
      try {
        const results = await api.answer(interactionId, optionId);
        change((room) => applyVote(room, { interactionId, optionId, results }));
        return undefined;
      } catch (error) {
        return error instanceof RoomFailure ? error.code : 'unknown';
      }
    },
    say(text: string, replyTo: ChatMessage['replyTo']): void {
      draftKey += 1;
      const draft = { key: draftKey, text, replyTo, problem: undefined };
      change((room) => ({ ...room, drafts: [...room.drafts, draft] }));
      void send(draft);
    },
    sayAgain(key: number): void {
      const draft = snapshot.room?.drafts.find((one) => one.key === key);
      if (!draft) return;
      change((room) => ({
        ...room,
        drafts: room.drafts.map((one) => (one.key === key ? { ...one, problem: undefined } : one)),
      }));
      void send(draft);
    },
    discard(key: number): void {
      change((room) => ({ ...room, drafts: room.drafts.filter((one) => one.key !== key) }));
    },
    /** Takes a branch. False when the service refused, as when the segment has changed. */
    async takeBranch(branchId: string): Promise<boolean> {
      try {
        const path = await api.takeBranch(branchId, snapshot.room?.visit.visitId);
        change((room) => ({ ...room, path }));
        return true;
      } catch {
        return false;
      }
    },
    /** Tries everything that waits, as when the network is back. */
    retry(): void {
      queue?.retry();
      feed?.retry();
      if (!snapshot.room) void enter();
    },
    /** The page is being closed: sends the heartbeats that wait, and the last one, by beacons. */
    leave(beat: Beat): void {
      for (const one of queue?.close(beat) ?? []) api.leave(one);
      queue = undefined;
    },
    /** A page that the browser kept and shows again needs a new visit. */
    comeBack(): void {
      if (!queue && snapshot.room) void enter();
    },
    /** Enters no more and closes the feed. Heartbeats that wait are still sent. */
    close(): void {
      isClosed = true;
      clearTimeout(enterTimer);
      feed?.close();
      feed = undefined;
    },
  };
}
