import { createTRPCClient, httpSubscriptionLink } from '@trpc/client';
import { failureOf } from '../failure.ts';
import type { ServiceRouter } from '../trpc.ts';
import { suspectConnection } from './connection.ts';
import type { Changed } from './refresh.ts';

export type StreamMessage = { changed: Changed | 'everything' } | { ended: 'access' };

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
export function openStream({ workspaceId, fromMs, onMessage }: StreamOptions): () => void {
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
