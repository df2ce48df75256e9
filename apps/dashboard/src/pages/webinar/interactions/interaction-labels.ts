import type { InteractionValues } from './form-values.ts';

/** Names of the fields, for the comparison of two people's changes. */
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
};
