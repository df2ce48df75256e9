// One stream for each browser and workspace. The tabs compete for a lock; the tab that has it reads the stream and passes the
// changes on to the others. A hidden tab gives the lock up, so a browser with hidden tabs only has no stream.
import { openStream, type StreamMessage } from './open-stream.ts';

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
