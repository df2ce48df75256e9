import { createId } from '@service/database';
import {
  type Interaction,
  type InteractionType,
  type Poll,
  pollOf,
  statusAt,
  webinarErrors,
} from '@service/webinars';
import { commonErrors } from '@service/errors';
import type { z } from 'zod';
import { attendeeErrors } from '../../errors.ts';
import type { AttendeeEventType } from '../../entities/attendee-event.ts';
import type { SessionMessage } from '../../response/chat.ts';
import { redirectUrlOf } from '../redirect-url.ts';
import type { AttendeeSnapshot, RoomChange, Written } from '../room-call.ts';
import type { MessageInput, PollResults } from '../schemas.ts';
import { requireLive } from '../attendee-state.ts';

/** The event of a click. Undefined if the interaction has no link. */
const eventOfClick: Record<InteractionType, AttendeeEventType | undefined> = {
  offer: 'cta_click',
  cta: 'cta_click',
  handout: 'handout_download',
  poll: undefined,
  chat: undefined,
};

/**
 * Records a click on an offer or a CTA, or the download of a handout. The event's id is the click id in the redirect. Allowed while
 * the session is live, and after it if the interaction is available in the replay. Throws interaction_not_found, session_not_live.
 */
export function click(
  snapshot: AttendeeSnapshot,
  interactionId: string,
): RoomChange<{ redirectUrl: string }> {
  const { attendance, registration, now } = snapshot;
  const interaction = snapshot.interactions.find(({ id }) => id === interactionId);
  const type = interaction && eventOfClick[interaction.type];
  if (!type || !('url' in interaction.details)) throw webinarErrors.interaction_not_found();
  requireShown(snapshot, interaction);
  const clickId = createId();
  const redirectUrl = redirectUrlOf(interaction.details.url, { clickId, registration: registration! });
  const clicks = rememberInteraction(attendance.clicks, interactionId, interaction.type);
  return {
    attendance: { ...attendance, clicks },
    events: [{ id: clickId, type, occurredAt: now, data: clickData(interaction) }],
    answer: () => ({ redirectUrl }),
  };
}

/** Throws session_not_live. */
function requireShown({ session, now }: AttendeeSnapshot, { availableInReplay }: Interaction): void {
  const status = statusAt(session, now);
  if (status !== 'live' && !(status === 'ended' && availableInReplay))
    throw attendeeErrors.session_not_live({ details: { status } });
}

const clickData = (interaction: Interaction) => ({
  interactionId: interaction.id,
  ...(interaction.type === 'offer' && { offerId: interaction.id }),
  interaction: nameInteraction(interaction),
});

/** The interaction as webhooks contain it. */
const nameInteraction = ({ id, headline, internalName }: Interaction) => ({
  id,
  headline,
  internal_name: internalName,
});

/**
 * Records that an attendee saw an interaction, for its statistics. The first view of a registration counts; further ones change
 * nothing. Allowed when a click is. Throws interaction_not_found, session_not_live.
 */
export function view(snapshot: AttendeeSnapshot, interactionId: string): RoomChange<void> {
  const { attendance, now } = snapshot;
  const interaction = snapshot.interactions.find(({ id }) => id === interactionId);
  if (!interaction) throw webinarErrors.interaction_not_found();
  requireShown(snapshot, interaction);
  const answer = (): void => {};
  const views = rememberView(attendance.views, interactionId);
  if (!views) return { answer };
  const data = { interactionId, interaction: nameInteraction(interaction) };
  return {
    attendance: { ...attendance, views },
    recorded: { type: 'interaction_view', occurredAt: now, data },
    answer,
  };
}

/**
 * Votes in a poll. The same vote again changes nothing. A second option is refused unless the poll is `multiple`. Throws
 * interaction_not_found, session_not_live, validation_failed, poll_answered.
 */
export function answer(
  snapshot: AttendeeSnapshot,
  interactionId: string,
  optionId: string,
): RoomChange<{ results: PollResults | null }> {
  const { attendance, now } = snapshot;
  const interaction = snapshot.interactions.find(({ id }) => id === interactionId);
  const poll = interaction && pollOf(interaction);
  if (!poll) throw webinarErrors.interaction_not_found();
  requireLive(snapshot);
  const option = poll.options.find(({ id }) => id === optionId);
  if (!option) throw refuseOption(poll);
  const chosen = attendance.answers[interactionId] ?? [];
  const show = (written: Written) => ({ results: resultsOf(poll, written.countsOf(interactionId)) });
  const vote = { interactionId, optionId };
  if (chosen.includes(optionId)) return { vote: { ...vote, isRepeat: true }, answer: show };
  if (chosen.length > 0 && !poll.multiple) throw attendeeErrors.poll_answered();
  const answers = rememberInteraction(attendance.answers, interactionId, rememberOption(chosen, optionId));
  const data = { ...vote, selectedOption: option.label, interaction: nameInteraction(interaction) };
  return {
    attendance: { ...attendance, answers },
    events: [{ type: 'poll_response', occurredAt: now, data }],
    vote,
    isPublic: true,
    answer: show,
  };
}

const refuseOption = ({ options }: Poll) =>
  commonErrors.validation_failed({
    issues: [{ path: 'optionId', message: `Must be one of ${options.map(({ id }) => id).join(', ')}.` }],
  });

/** Null if the poll never shows its results. */
const resultsOf = (poll: Poll, counts: ReadonlyMap<string, number>): PollResults | null =>
  poll.results === 'never'
    ? null
    : poll.options.map(({ id, label }) => ({ optionId: id, label, count: counts.get(id) ?? 0 }));

/**
 * Sends a chat message. Its id is that of its event. A reply keeps the beginning of the message that it answers. Throws chat_off,
 * session_not_live, message_not_found.
 */
export function say(
  snapshot: AttendeeSnapshot,
  { text, replyTo }: z.output<typeof MessageInput>,
): RoomChange<{ id: string; sentAt: string }> {
  if (snapshot.webinar.room.chatMode === 'off') throw attendeeErrors.chat_off();
  requireLive(snapshot);
  const quote = replyTo === undefined ? undefined : requireVisible(snapshot, replyTo).quote;
  const id = createId();
  const sentAt = snapshot.now.toISOString();
  const data = { message: text, sent_at: sentAt, message_event_id: id, ...(quote && { reply_to: quote }) };
  return {
    events: [{ id, type: 'chat_response', occurredAt: snapshot.now, data }],
    isPublic: true,
    answer: () => ({ id, sentAt }),
  };
}

/** A message that the attendee sees. In a private chat that is their own and those of the host. */
function requireVisible({ messages, attendance, webinar }: AttendeeSnapshot, id: string): SessionMessage {
  const message = messages.get(id);
  if (!message || message.isHidden || message.sessionId !== attendance.sessionId)
    throw attendeeErrors.message_not_found();
  const isOthers = message.registrationId !== null && message.registrationId !== attendance.registrationId;
  if (webinar.room.chatMode === 'private' && isOthers) throw attendeeErrors.message_not_found();
  return message;
}

// Limits of the clicks and answers in an attendance. A webinar has at most 200 interactions at a time, but they can be replaced
// for months, and conditions read all that are kept.

/** Interactions kept in the clicks, and in the answers, of an attendance. */
const interactionsMax = 400;

/** Options kept for one poll. A poll has at most ten at a time. */
const optionsMax = 20;

/** Adds the value of an interaction. Over the limit, the oldest interactions are dropped, because ids are in the order of time. */
export function rememberInteraction<Value>(
  known: Readonly<Record<string, Value>>,
  interactionId: string,
  value: Value,
): Record<string, Value> {
  const others = Object.entries(known).filter(([id]) => id !== interactionId);
  const kept =
    others.length < interactionsMax
      ? others
      : others.toSorted(([one], [other]) => (one < other ? -1 : 1)).slice(1 - interactionsMax);
  return { ...Object.fromEntries(kept), [interactionId]: value };
}

/** Adds a viewed interaction. Undefined when it is known, or when so many are known that a view could not be remembered. */
export const rememberView = (views: readonly string[], interactionId: string): string[] | undefined =>
  views.includes(interactionId) || views.length >= interactionsMax ? undefined : [...views, interactionId];

/** Adds an option that was chosen. */
export const rememberOption = (chosen: readonly string[], optionId: string): string[] =>
  [...chosen, optionId].slice(-optionsMax);
