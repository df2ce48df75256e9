import type { RoomPreview } from '@service/attendees';

/** Returns what to show. Undefined for a message that the dashboard around this frame did not send. */
export function readPreview(
  { origin, source, data }: Pick<MessageEvent, 'origin' | 'source' | 'data'>,
  { parent, location }: Pick<Window, 'parent' | 'location'>,
): RoomPreview | undefined {
  if (origin !== location.origin || source !== parent) return undefined;
  const message = data as { type?: unknown; preview?: RoomPreview } | null;
  return message?.type === 'room-preview' ? message.preview : undefined;
}
