// Texts that the list of interactions does not need.
import type { InteractionType } from '@service/webinars/inputs';
import type { Interaction } from '../../../trpc.ts';
import type { InteractionValues } from './form-values.ts';

/** Names of the fields, for the form and the comparison of two people's changes. */
export const interactionLabels: Record<keyof InteractionValues, string> = {
  internalName: 'Name',
  headline: 'Headline',
  body: 'Text',
  segmentId: 'Segment',
  showAtSeconds: 'Appears at',
  hideAtSeconds: 'Disappears at',
  enabled: 'Enabled',
  availableInReplay: 'Also shown in the replay',
  display: 'Place',
  dismissible: 'Attendees can close it',
  showWhen: 'Shown to',
  url: 'URL',
  buttonLabel: 'Button',
  priceMinor: 'Price',
  currency: 'Currency',
  imageUrl: 'Image URL',
  productRefs: 'Products',
  couponCode: 'Coupon code',
  countdownSeconds: 'Countdown',
  options: 'Answers',
  multiple: 'More than one answer',
  results: 'Attendees see the results',
  fileName: 'File name',
  authorName: 'Author',
};

const placeTexts: Readonly<Record<Interaction['display'], string>> = {
  popup: 'Over the video',
  panel: 'Beside the video',
  banner: 'Under the video',
};

/** "Over the video, for everyone." */
export function placeText(type: InteractionType, { display, showWhen, enabled }: InteractionValues): string {
  const place = type === 'chat' ? 'In the chat' : placeTexts[display];
  const people = showWhen.length === 0 ? 'for everyone' : 'if the conditions are met';
  return `${place}, ${people}.${enabled ? '' : ' Not shown while it is not enabled.'}`;
}
