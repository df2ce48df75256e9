// The input fields of an interaction: the common ones and those of each type. Defaults are separate, because a PATCH has the
// same fields without defaults.
import { isCurrency } from '@service/catalogue';
import { conditionList } from '@service/conditions';
import { id, text, urlText } from '@service/trpc/fields';
import { z } from 'zod';
import { interactionDisplays, type InteractionType, pollResults } from '../entities/enums.ts';
import { wholeNumber } from '../field-inputs.ts';
import type { Interaction } from '../entities/interaction.ts';

export const interactionDisplay = z.enum(interactionDisplays).meta({
  id: 'InteractionDisplay',
  description: 'Its place: over the video, beside it, or below it.',
});

export const pollResultsVisibility = z.enum(pollResults).meta({
  id: 'PollResultsVisibility',
  description:
    'When attendees see the results: `never`, `after_vote` once they have answered, or `live` while the poll runs.',
});

/** Interactions per webinar. The limit also bounds the rows that a room loads. */
export const interactionsMax = 200;

/** Conditions of an interaction. */
export const showWhenMax = 10;

/** One day, as for the longest webinar. */
const secondsMax = 86_400;

const seconds = wholeNumber.min(0).max(secondsMax);

const url = urlText()
  .refine(isWebAddress, 'Must be a URL that starts with https:// or http://, without spaces.')
  .describe('http or https URL that a click opens.');

export const commonFields = {
  segmentId: id('segment')
    .nullable()
    .describe('Segment of an adaptive webinar to which the positions belong. Null for a standard webinar.'),
  internalName: text(100).describe('Name for your team and for webhooks. Attendees never see it.'),
  headline: text(200).describe('The first line that attendees see.'),
  body: text(5000).nullable().describe('Text below the headline. Null means none.'),
  showAtSeconds: seconds.describe('Position in the video at which it appears. Must be before the end.'),
  hideAtSeconds: seconds
    .nullable()
    .describe('Position at which it disappears, after `showAtSeconds`. Null means it stays until the end.'),
  enabled: z.boolean().describe('False: attendees never see it.'),
  availableInReplay: z.boolean().describe('True if it also appears in replays.'),
  display: interactionDisplay,
  dismissible: z.boolean().describe('True if attendees can close it.'),
  showWhen: conditionList(showWhenMax).describe(
    'Shown if all conditions are met. An empty list is always met. The values have at most 10,000 characters together.',
  ),
};

export const commonDefaults = {
  segmentId: null,
  body: null,
  hideAtSeconds: null,
  enabled: true,
  availableInReplay: true,
  display: 'popup',
  dismissible: true,
  showWhen: [],
} as const;

const buttonLabel = text(100).describe('Text of the button.');

const PollOptionInput = z
  .strictObject({
    id: z
      .string()
      .regex(/^[\w-]{1,64}$/, 'Must have 1 to 64 letters, digits, - or _.')
      .optional()
      .describe('Generated if omitted.'),
    label: text(200).describe('Text of the option.'),
  })
  .meta({ id: 'PollOptionInput' });

const threeLetters = /^[A-Za-z]{3}$/;

export const typeFields = {
  offer: {
    url,
    buttonLabel,
    priceMinor: wholeNumber
      .min(0)
      .max(1e12)
      .nullable()
      .describe('Price in the smallest unit of the currency, such as cents. Requires `currency`.'),
    currency: z
      .string()
      .trim()
      .regex(threeLetters, 'Must be three letters such as EUR.')
      .toUpperCase()
      .refine((code) => !threeLetters.test(code) || isCurrency(code), 'Not a currency of ISO 4217.')
      .nullable()
      .describe('ISO 4217 code such as `EUR`. Requires `priceMinor`.'),
    imageUrl: url.nullable().describe('http or https URL of the image. Null means none.'),
    productRefs: z.array(text(200)).max(50).describe('Products in your shop, used to attribute revenue.'),
    couponCode: text(100).nullable().describe('Code that attendees enter in your shop. Null means none.'),
    countdownSeconds: wholeNumber
      .min(1)
      .max(secondsMax)
      .nullable()
      .describe('Seconds of the countdown beside the offer. Null means no countdown.'),
  },
  cta: { url, buttonLabel },
  poll: {
    options: z
      .array(PollOptionInput)
      .min(2, 'At least 2 options.')
      .max(10, 'At most 10 options.')
      .describe('The options, in their order.'),
    multiple: z.boolean().describe('True if an attendee can choose more than one option.'),
    results: pollResultsVisibility,
  },
  handout: { url, fileName: text(255).describe('Name of the file that attendees see.') },
  chat: { authorName: text(100).describe('Name of the author that attendees see.') },
} as const satisfies Record<InteractionType, z.ZodRawShape>;

export const typeDefaults = {
  offer: {
    priceMinor: null,
    currency: null,
    imageUrl: null,
    productRefs: [],
    couponCode: null,
    countdownSeconds: null,
  },
  cta: {},
  poll: { multiple: false, results: 'after_vote' },
  handout: {},
  chat: {},
} as const satisfies Record<InteractionType, object>;

/** The fields of all types. `url` and `buttonLabel` are the same in each type that has them. */
export const anyTypeFields = {
  ...typeFields.chat,
  ...typeFields.handout,
  ...typeFields.poll,
  ...typeFields.cta,
  ...typeFields.offer,
};

/** Other schemes could run a script or open a file in the attendee's browser. A space or line break breaks the redirect. */
export function isWebAddress(value: string): boolean {
  return /^https?:\/\/[^\s\p{Cc}]+$/iu.test(value) && URL.canParse(value);
}

type AnyTypeFields = z.output<z.ZodObject<typeof anyTypeFields>>;

/** All fields of all types of interaction. */
export interface InteractionFields
  extends z.output<z.ZodObject<typeof commonFields>>, Partial<AnyTypeFields> {}

/** The fields of an interaction as one flat object, as callers know them. */
export const joinFields = (interaction: Interaction): InteractionFields =>
  ({
    ...pick(interaction, Object.keys(commonFields)),
    ...interaction.details,
  }) as InteractionFields;

export const pick = (from: object, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(
    names.filter((name) => name in from).map((name) => [name, (from as Record<string, unknown>)[name]]),
  );
