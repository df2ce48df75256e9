// The message of the dashboard, and the room that it describes.
import type { RoomPreview } from '@service/attendees';
import { isCard } from '../room/due-interactions.ts';
import { enterRoom, type RoomState } from '../room/room-state.ts';

/** Returns what to show. Undefined for a message that the dashboard around this frame did not send. */
export function readPreview(
  { origin, source, data }: Pick<MessageEvent, 'origin' | 'source' | 'data'>,
  { parent, location }: Pick<Window, 'parent' | 'location'>,
): RoomPreview | undefined {
  if (origin !== location.origin || source !== parent) return undefined;
  const message = data as { type?: unknown; preview?: RoomPreview } | null;
  return message?.type === 'room-preview' ? message.preview : undefined;
}

/** The room of an attendee who sees only this interaction. */
export function roomOf({ webinar, interaction, path }: RoomPreview, optionIds: readonly string[]): RoomState {
  const now = new Date(0).toISOString();
  const entered = enterRoom({
    visitId: '',
    serverNow: now,
    webinar: {
      id: '',
      title: webinar.title,
      description: null,
      kind: path ? 'adaptive' : 'standard',
      durationSeconds: 0,
      video: null,
      seekAllowed: false,
      // Beside a card, its list is open first; a recorded message is in the chat.
      chatMode: interaction && isCard(interaction) ? 'off' : 'public',
    },
    attendee: { name: '' },
    phase: 'live',
    session: {
      status: 'live',
      startsAt: now,
      endsAt: now,
      positionSeconds: 0,
      isReplay: false,
      pace: 'shared',
    },
    interactions: interaction ? [{ ...interaction, answered: [...optionIds] }] : [],
    interactionsVersion: '',
    path,
  });
  if (!interaction) return entered;
  const { id, options = [] } = interaction;
  const results = options.map((option) => ({
    optionId: option.id,
    label: option.label,
    count: optionIds.includes(option.id) ? 1 : 0,
  }));
  return { ...entered, results: { [id]: results } };
}
