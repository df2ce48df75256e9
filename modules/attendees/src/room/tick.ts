/** The least pause between two ticks of a session. */
const pauseMinMs = 250;
const pauseMaxMs = 4000;

/**
 * The pause after a tick, as a multiple of its time on the thread. With it the chat of the largest session stays within the share
 * of its account (5 %), so that the calls of the same account need not wait for it.
 */
const pauseFactor = 20;

/** Milliseconds until the next tick of a session. It is later for a session with many listeners, and while its account rests. */
export const nextTickMs = ({ usedMs, restMs }: { usedMs: number; restMs: number }): number =>
  Math.min(pauseMaxMs, Math.max(pauseMinMs, usedMs * pauseFactor, restMs));
