// The form of an interaction. Fields have the names of the API, so that its problems have the paths of the form's fields. Times and
// prices are texts, because half a time or half a price can be typed.
import { randomId } from '@mantine/hooks';
import type { RoomPreview } from '@service/attendees';
import type { Condition } from '@service/conditions';
import { createInputs, isWebAddress, type InteractionType } from '@service/webinars/inputs';
import { minorToText, textToMinor } from '../../../money.ts';
import { formatPosition, parsePosition } from '../../../time-text.ts';
import type { Interaction, InteractionBody } from '../../../trpc.ts';
import { validateBy } from '../../../zod-form.ts';
import { secondsOrNull, textOrNull } from '../fields.ts';

interface OptionValue {
  /** Absent until the service has given one. */
  id?: string;
  /** For React. */
  key: string;
  label: string;
}

export type InteractionValues = ReturnType<typeof emptyValues>;

export const createOption = (label = ''): OptionValue => ({ key: randomId('option'), label });

/** A new interaction of a type, with the defaults of the API. */
export const emptyValues = (segmentId: string | null) => ({
  internalName: '',
  headline: '',
  body: '',
  segmentId,
  showAtSeconds: '0:00',
  hideAtSeconds: '',
  enabled: true,
  availableInReplay: true,
  display: 'popup' as Interaction['display'],
  dismissible: true,
  showWhen: [] as Condition[],
  url: '',
  buttonLabel: '',
  priceMinor: '',
  currency: '',
  imageUrl: '',
  /** One in each line. */
  productRefs: '',
  couponCode: '',
  countdownSeconds: '',
  options: [createOption(), createOption()],
  multiple: false,
  results: 'after_vote' as 'never' | 'after_vote' | 'live',
  fileName: '',
  authorName: '',
});

/** The values of a stored interaction. */
export function toValues(interaction: Interaction): InteractionValues {
  const { showAtSeconds, hideAtSeconds } = interaction;
  return {
    ...emptyValues(interaction.segmentId),
    ...commonOf(interaction),
    body: interaction.body ?? '',
    showAtSeconds: formatPosition(showAtSeconds),
    hideAtSeconds: hideAtSeconds === null ? '' : formatPosition(hideAtSeconds),
    ...detailsOf(interaction),
  };
}

function detailsOf(interaction: Interaction): Partial<InteractionValues> {
  switch (interaction.type) {
    case 'offer': {
      const { url, buttonLabel, priceMinor, countdownSeconds } = interaction;
      const currency = interaction.currency ?? '';
      return {
        url,
        buttonLabel,
        currency,
        priceMinor: priceMinor === null ? '' : minorToText(priceMinor, currency),
        imageUrl: interaction.imageUrl ?? '',
        productRefs: interaction.productRefs.join('\n'),
        couponCode: interaction.couponCode ?? '',
        countdownSeconds: countdownSeconds === null ? '' : formatPosition(countdownSeconds),
      };
    }
    case 'cta': {
      const { url, buttonLabel } = interaction;
      return { url, buttonLabel };
    }
    case 'poll': {
      const { multiple, results } = interaction;
      const options = interaction.options.map((option) => ({ ...option, key: option.id }));
      return { options, multiple, results };
    }
    case 'handout': {
      const { url, fileName } = interaction;
      return { url, fileName };
    }
    case 'chat': {
      const { authorName } = interaction;
      return { authorName };
    }
    default:
      return interaction satisfies never;
  }
}

/** The body of the call that creates or changes the interaction. Only fields of the type are in it. */
export function toBody(type: InteractionType, values: InteractionValues): InteractionBody {
  return {
    ...commonOf(values),
    body: textOrNull(values.body),
    showAtSeconds: secondsOrNull(values.showAtSeconds) ?? Number.NaN,
    hideAtSeconds: secondsOrNull(values.hideAtSeconds),
    ...detailsTo[type](values),
  };
}

/** The fields that are the same in the form and in the API. */
const commonNames = [
  'internalName',
  'headline',
  'segmentId',
  'enabled',
  'availableInReplay',
  'display',
  'dismissible',
  'showWhen',
] as const;

type CommonFields = Pick<InteractionValues, (typeof commonNames)[number]>;

const commonOf = (fields: CommonFields): CommonFields =>
  Object.fromEntries(commonNames.map((name) => [name, fields[name]])) as unknown as CommonFields;

const detailsTo: Record<InteractionType, (values: InteractionValues) => Partial<InteractionBody>> = {
  offer: ({ url, buttonLabel, productRefs, couponCode, imageUrl, countdownSeconds, ...values }) => ({
    url,
    buttonLabel,
    priceMinor: isBlank(values.priceMinor)
      ? null
      : (textToMinor(values.priceMinor, values.currency) ?? Number.NaN),
    currency: textOrNull(values.currency),
    imageUrl: textOrNull(imageUrl),
    productRefs: productRefs.split('\n').filter((line) => !isBlank(line)),
    couponCode: textOrNull(couponCode),
    countdownSeconds: secondsOrNull(countdownSeconds),
  }),
  cta: ({ url, buttonLabel }) => ({ url, buttonLabel }),
  poll: ({ options, multiple, results }) => ({
    options: options.map(({ id, label }) => (id === undefined ? { label } : { id, label })),
    multiple,
    results,
  }),
  handout: ({ url, fileName }) => ({ url, fileName }),
  chat: ({ authorName }) => ({ authorName }),
};

/** The interaction as the room gets it, with samples for texts that are still empty. Its link leads nowhere. */
export function toShown(
  type: InteractionType,
  values: InteractionValues,
): NonNullable<RoomPreview['interaction']> {
  const { display, dismissible, multiple, results, currency } = values;
  return {
    id: 'preview',
    type,
    segmentId: null,
    showAtSeconds: 0,
    hideAtSeconds: null,
    display,
    dismissible,
    multiple,
    results,
    clickUrl: '#',
    headline: values.headline || headlineSamples[type],
    body: textOrNull(values.body),
    buttonLabel: values.buttonLabel || 'Button',
    priceMinor: textToMinor(values.priceMinor, currency) ?? null,
    currency: textOrNull(currency),
    // Half an address would be a path of the room, which the browser would load.
    imageUrl: isWebAddress(values.imageUrl.trim()) ? values.imageUrl.trim() : null,
    couponCode: textOrNull(values.couponCode),
    countdownSeconds: parsePosition(values.countdownSeconds) ?? null,
    fileName: values.fileName || 'File name',
    authorName: values.authorName || 'Author',
    options: values.options.map(({ key, label }, index) => ({
      id: key,
      label: label || `Answer ${index + 1}`,
    })),
  };
}

const headlineSamples: Readonly<Record<InteractionType, string>> = {
  offer: 'Headline',
  cta: 'Headline',
  poll: 'Question',
  handout: 'Headline',
  chat: 'Message',
};

const isBlank = (text: string): boolean => text.trim() === '';

interface Place {
  webinarId: string;
  /** The length of the video in which it is shown. */
  durationSeconds: number;
}

/** The `validate` of the form: the API's own check, with messages for texts that it never sees. */
export const validateInteraction =
  (type: InteractionType, { webinarId, durationSeconds }: Place) =>
  (values: InteractionValues): Record<string, string> => ({
    ...placeProblem(values, durationSeconds),
    ...validateBy(createInputs[type], (current: InteractionValues) => ({
      webinarId,
      ...toBody(type, current),
    }))(values),
    ...textProblems(type, values),
  });

function placeProblem({ showAtSeconds }: InteractionValues, durationSeconds: number): Record<string, string> {
  const seconds = parsePosition(showAtSeconds) ?? 0;
  return seconds < durationSeconds
    ? {}
    : { showAtSeconds: `Must be before the end of the video, ${formatPosition(durationSeconds)}.` };
}

function textProblems(type: InteractionType, values: InteractionValues): Record<string, string> {
  const times = ['showAtSeconds', 'hideAtSeconds', ...(type === 'offer' ? ['countdownSeconds'] : [])];
  const wrong = times.filter((name) => Number.isNaN(secondsOrNull(values[name as 'showAtSeconds'])));
  const problems = Object.fromEntries(wrong.map((name) => [name, 'Write a time such as 1:30.']));
  const { priceMinor, currency } = values;
  const isAmount = isBlank(priceMinor) || textToMinor(priceMinor, currency) !== undefined;
  return type === 'offer' && !isAmount
    ? { ...problems, priceMinor: `Write an amount such as ${minorToText(7900, currency)}.` }
    : problems;
}
