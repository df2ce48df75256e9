import { commonErrors } from '@service/errors';
import { pollOf, webinarErrors, type Poll } from '@service/webinars';
import { rememberInteraction, rememberOption } from '../../attendance/remember.ts';
import { attendeeErrors } from '../../errors.ts';
import type { RoomChange, AttendeeSnapshot, Written } from '../room-call.ts';
import type { PollResults } from '../schemas.ts';
import { requireLive } from '../attendee-state.ts';
import { nameInteraction } from './handle-click.ts';

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
  return {
    attendance: {
      ...attendance,
      answers: rememberInteraction(attendance.answers, interactionId, rememberOption(chosen, optionId)),
    },
    events: [
      {
        type: 'poll_response',
        occurredAt: now,
        data: {
          interactionId,
          optionId,
          selectedOption: option.label,
          interaction: nameInteraction(interaction),
        },
      },
    ],
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
