import { pollOf, type Interaction, type InteractionDetails } from '@service/webinars';
import type { JoinLinks } from '../registration/join-token.ts';
import type { AttendeeSnapshot } from './room-call.ts';
import type { VisitOutput } from './schemas.ts';

type Shown = VisitOutput['interactions'][number];

/** An interaction as attendees see it: without the internal name, and with the click link instead of the URL. */
export function showInteraction(
  interaction: Interaction,
  { holder, attendance }: Pick<AttendeeSnapshot, 'holder' | 'attendance'>,
  joinLinks: Pick<JoinLinks, 'clickUrlOf'>,
): Shown {
  const poll = pollOf(interaction);
  return {
    id: interaction.id,
    type: interaction.type,
    headline: interaction.headline,
    body: interaction.body ?? null,
    segmentId: interaction.segmentId ?? null,
    showAtSeconds: interaction.showAtSeconds,
    hideAtSeconds: interaction.hideAtSeconds ?? null,
    display: interaction.display,
    dismissible: interaction.dismissible,
    ...(poll
      ? {
          options: poll.options,
          multiple: poll.multiple,
          answered: [...(attendance.answers[interaction.id] ?? [])],
        }
      : {
          ...publicDetails(interaction.details),
          clickUrl: joinLinks.clickUrlOf(holder, interaction.id),
        }),
  };
}

function publicDetails(details: InteractionDetails): Partial<Shown> {
  if ('fileName' in details) return { fileName: details.fileName };
  if (!('priceMinor' in details)) return 'buttonLabel' in details ? { buttonLabel: details.buttonLabel } : {};
  const { buttonLabel, priceMinor, currency, imageUrl, couponCode, countdownSeconds } = details;
  return { buttonLabel, priceMinor, currency, imageUrl, couponCode, countdownSeconds };
}
