// The fields of an interaction as callers write them: common fields, and fields of one type. The defaults are separate,
// because a PATCH has no defaults.
import { id, text, urlText } from '@service/trpc';
import { z } from 'zod';
import { conditionList } from '../condition/condition.ts';
import { interactionDisplays, pollResults, type InteractionType } from '../entities/interaction.ts';
import { wholeNumber } from '../field-inputs.ts';

/** A day, like the longest webinar. */
const secondsMax = 86_400;

const seconds = wholeNumber.min(0).max(secondsMax);

const url = urlText()
  .refine(isWebAddress, 'Must be a URL that starts with https:// or http://, without spaces.')
  .describe('Target of the click, https or http.');

export const commonFields = {
  segmentId: id('segment').nullable(),
  internalName: text(100).describe('For your team and for webhooks. Attendees do not see it.'),
  headline: text(200),
  body: text(5000).nullable(),
  showAtSeconds: seconds.describe('Position in the video at which it is shown. Must be before the end.'),
  hideAtSeconds: seconds
    .nullable()
    .describe('Position at which it is hidden. Must be after `showAtSeconds`. Null: at the end.'),
  enabled: z.boolean(),
  availableInReplay: z.boolean(),
  display: z.enum(interactionDisplays),
  dismissible: z.boolean(),
  showWhen: conditionList(10).describe(
    'All conditions must be met. Empty: shown to every attendee. The values together have at most 10,000 characters.',
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

const buttonLabel = text(100);

export const typeFields = {
  offer: {
    url,
    buttonLabel,
    priceMinor: wholeNumber
      .min(0)
      .max(1e12)
      .nullable()
      .describe('Price in the smallest unit of `currency`. Requires `currency`.'),
    currency: z
      .string()
      .trim()
      .regex(/^[A-Za-z]{3}$/, 'Three letters, such as EUR.')
      .toUpperCase()
      .nullable()
      .describe('ISO 4217 code. Requires `priceMinor`.'),
    imageUrl: url.describe('https or http.').nullable(),
    productRefs: z.array(text(200)).max(50).describe('Products of your shop that revenue is attributed to.'),
    couponCode: text(100).nullable(),
    countdownSeconds: wholeNumber.min(1).max(secondsMax).nullable(),
  },
  cta: { url, buttonLabel },
  poll: {
    options: z
      .array(
        z.strictObject({
          id: z
            .string()
            .regex(/^[\w-]{1,64}$/, 'Letters, digits, - and _, at most 64.')
            .optional()
            .describe('Generated if omitted.'),
          label: text(200),
        }),
      )
      .min(2, 'At least 2 options.')
      .max(10, 'At most 10 options.'),
    multiple: z.boolean().describe('An attendee may choose more than one option.'),
    results: z.enum(pollResults).describe('When attendees see the results.'),
  },
  handout: { url, fileName: text(255) },
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
} as const satisfies Record<InteractionType, object>;

/** The fields of all types together. `url` and `buttonLabel` are the same in each type. */
export const anyTypeFields = {
  ...typeFields.handout,
  ...typeFields.poll,
  ...typeFields.cta,
  ...typeFields.offer,
};

/** Only http and https: other schemes run scripts or open files in the attendee's browser. A space or line break breaks the redirect. */
function isWebAddress(value: string): boolean {
  return /^https?:\/\/[^\s\p{Cc}]+$/iu.test(value) && URL.canParse(value);
}
