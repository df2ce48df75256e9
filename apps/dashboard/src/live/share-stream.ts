// One stream for each browser and workspace. The tabs compete for a lock; the tab that has it reads the stream and passes the
// changes on to the others. A hidden tab gives the lock up, so a browser with hidden tabs only has no stream.
import { createTRPCClient, httpSubscriptionLink } from '@trpc/client';
import { failureOf } from '../failure.ts';
import type { ServiceRouter } from '../trpc.ts';
import { suspectConnection } from './connection.ts';
import type { Changed } from './refresh.ts';

interface SharedOptions {
  userId: string;
  workspaceId: string;
  onMessage: (message: StreamMessage) => void;
}

const hiddenMs = 10_000;

/** A tab that takes over also asks for the changes of this time. The tab before it may have been gone for a moment. */
const takeOverMs = 3000;

/** Passes on the changes of a workspace while this tab is visible, until the returned function is called. */
export function shareStream(options: SharedOptions): () => void {
  let leave: (() => void) | undefined = joinStream(options, Date.now());
  let leftAtMs = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const onVisibility = (): void => {
    clearTimeout(timer);
    if (document.visibilityState === 'hidden') {
      timer = setTimeout(() => {
        leftAtMs = Date.now();
        leave?.();
        leave = undefined;
      }, hiddenMs);
    } else {
      leave ??= joinStream(options, leftAtMs);
    }
  };
  document.addEventListener('visibilitychange', onVisibility);
  onVisibility();

  return () => {
    document.removeEventListener('visibilitychange', onVisibility);
    clearTimeout(timer);
    leave?.();
  };
}

function joinStream({ userId, workspaceId, onMessage }: SharedOptions, fromMs: number): () => void {
  // Without a secure context there are no locks: each tab then has a stream of its own.
  if (!('locks' in navigator)) return openStream({ workspaceId, fromMs, onMessage });
  const name = `stream:${userId}:${workspaceId}`;
  const leaving = new AbortController();
  const { signal } = leaving;
  const channel = new BroadcastChannel(name);
  channel.addEventListener('message', ({ data }: MessageEvent<StreamMessage>) => onMessage(data));

  const lead = (needsFromMs: number): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const close = openStream({
      workspaceId,
      fromMs: needsFromMs,
      onMessage(message) {
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target
        channel.postMessage(message);
        onMessage(message);
      },
    });
    const end = (): void => {
      close();
      resolve();
    };
    if (signal.aborted) end();
    else signal.addEventListener('abort', end);
    return promise;
  };

  const compete = async (): Promise<void> => {
    const isLeader = await navigator.locks.request(name, { ifAvailable: true }, async (lock) => {
      if (lock) await lead(fromMs);
      return lock !== null;
    });
    if (isLeader || signal.aborted) return;
    // The leader's stream began earlier, so it does not send what this tab has missed.
    if (Date.now() - fromMs > takeOverMs) onMessage({ changed: 'everything' });
    await navigator.locks.request(name, { signal }, () => lead(Date.now() - takeOverMs));
  };
  compete().catch(() => undefined);

  return () => {
    leaving.abort();
    channel.close();
  };
}

type StreamMessage = { changed: Changed | 'everything' } | { ended: 'access' };

interface StreamOptions {
  workspaceId: string;
  /** The time from which changes are needed, in milliseconds. */
  fromMs: number;
  onMessage: (message: StreamMessage) => void;
}

/** After the member opened too many streams elsewhere. Opening at once would end one of those. */
const replacedMs = 60_000;
const restartMs = 500;
const retryMinMs = 1000;
const retryMaxMs = 30_000;
const ageMaxMs = 86_400_000;

/** Reads the stream of a workspace until the returned function is called. It connects again after every loss. */
function openStream({ workspaceId, fromMs, onMessage }: StreamOptions): () => void {
  const client = createTRPCClient<ServiceRouter>({
    links: [httpSubscriptionLink({ url: '/trpc', connectionParams: { workspaceId } })],
  });
  let retryMs = retryMinMs;
  let knownAtMs = fromMs;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  let stop = (): void => undefined;

  const openLater = (waitMs: number): void => {
    clearTimeout(timer);
    // Not all pages at once after a restart.
    if (!isOver) timer = setTimeout(open, waitMs * (1 + Math.random()));
  };

  const retryLater = (): void => {
    openLater(retryMs);
    retryMs = Math.min(2 * retryMs, retryMaxMs);
  };

  // The member may have another sign-in session by now, after a change of the password.
  const endAccess = (): void => {
    onMessage({ ended: 'access' });
    retryLater();
  };

  const open = (): void => {
    stop();
    const ageMs = Math.min(Math.max(0, Date.now() - knownAtMs), ageMaxMs);
    const subscription = client.accounts.stream.subscribe(
      { ageMs },
      {
        onData({ data }) {
          if (isOver) return;
          retryMs = retryMinMs;
          knownAtMs = Date.now();
          if ('changed' in data) return onMessage(data);
          if (data.ended === 'access') endAccess();
          else openLater(data.ended === 'replaced' ? replacedMs : restartMs);
        },
        onConnectionStateChange({ state, error }) {
          // The browser connects again by itself.
          if (state === 'connecting' && error) suspectConnection();
        },
        onError(error) {
          if (failureOf(error).code === 'sign_in_required') return endAccess();
          suspectConnection();
          retryLater();
        },
      },
    );
    stop = () => subscription.unsubscribe();
  };
  open();

  return () => {
    isOver = true;
    clearTimeout(timer);
    stop();
  };
}
