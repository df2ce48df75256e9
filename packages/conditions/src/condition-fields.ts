// The fields that conditions compare: their operators, and the words for people. The schema of conditions, the facts of an attendee,
// and the form and the sentences of the dashboard are made from this record. In a phrase, `{value}` is the value of the condition.

export const conditionOperators = [
  'eq',
  'neq',
  'gte',
  'lte',
  'contains',
  'contains_word',
  'in',
  'exists',
] as const;

export type ConditionOperator = (typeof conditionOperators)[number];

/** The operators of each kind of field, the usual one first. */
export const operatorsByKind = {
  number: ['gte', 'lte', 'eq', 'neq'],
  flag: ['eq', 'neq'],
  ids: ['eq', 'neq', 'in', 'exists'],
  answer: ['eq', 'neq', 'exists'],
  text: ['eq', 'neq', 'contains', 'contains_word', 'in', 'exists'],
  texts: ['eq', 'neq', 'contains', 'contains_word', 'in', 'exists'],
  custom: ['eq', 'neq', 'gte', 'lte', 'contains', 'contains_word', 'in', 'exists'],
  choice: ['eq', 'neq', 'in'],
} as const satisfies Record<string, readonly ConditionOperator[]>;

export type ConditionKind = keyof typeof operatorsByKind;

/** An operator as people choose it: `exists` with the value false is `absent`. */
export type ConditionVerb = ConditionOperator | 'absent';

/** The texts of the operators in a form. */
export const conditionVerbs: Readonly<Record<ConditionVerb, string>> = {
  eq: 'is',
  neq: 'is not',
  gte: 'is at least',
  lte: 'is at most',
  contains: 'contains',
  contains_word: 'contains the word',
  in: 'is one of',
  exists: 'has any value',
  absent: 'has no value',
};

type VerbOf<Kind extends ConditionKind> =
  | (typeof operatorsByKind)[Kind][number]
  | ('exists' extends (typeof operatorsByKind)[Kind][number] ? 'absent' : never);

interface FieldOf<Kind extends ConditionKind> {
  kind: Kind;
  phrases: Readonly<Record<VerbOf<Kind>, string>>;
}

export interface ConditionField {
  kind: ConditionKind;
  label: string;
  group: string;
  phrases: Readonly<Partial<Record<ConditionVerb, string>>>;
  help?: string;
  /** The values of a choice, with their texts. */
  choices?: Readonly<Record<string, string>>;
  /** True if its fact says who bought something. A client needs `revenue:read` to use or see it. */
  isRevenue?: boolean;
  /** The interactions whose ids are values. */
  interactionTypes?: readonly ('offer' | 'cta' | 'poll' | 'handout')[];
}

const watched = (unit: string): FieldOf<'number'> => ({
  kind: 'number',
  phrases: {
    gte: `they watched at least {value} ${unit}`,
    lte: `they watched at most {value} ${unit}`,
    eq: `they watched exactly {value} ${unit}`,
    neq: `they did not watch exactly {value} ${unit}`,
  },
});

/** `eq` is the phrase for yes, `neq` the one for no. */
const flag = (eq: string, neq: string): FieldOf<'flag'> => ({ kind: 'flag', phrases: { eq, neq } });

const clicked = (one: string): FieldOf<'ids'> => ({
  kind: 'ids',
  phrases: {
    eq: 'they clicked {value}',
    neq: 'they did not click {value}',
    in: 'they clicked one of {value}',
    exists: `they clicked any ${one}`,
    absent: `they clicked no ${one}`,
  },
});

const text = (subject: string): FieldOf<'text'> => ({ kind: 'text', phrases: textPhrases(subject) });

const textPhrases = (subject: string): FieldOf<'text'>['phrases'] => ({
  eq: `${subject} is {value}`,
  neq: `${subject} is not {value}`,
  contains: `${subject} contains {value}`,
  contains_word: `${subject} contains the word {value}`,
  in: `${subject} is one of {value}`,
  exists: `${subject} has a value`,
  absent: `${subject} has no value`,
});

const watching = 'Watching';
const interacting = 'Interactions and chat';
const registering = 'Registration';

export const conditionFields = {
  watchedPercent: { ...watched('% of the video'), label: 'Watched percent', group: watching },
  watchedMinutes: { ...watched('min'), label: 'Watched minutes', group: watching },
  joined: { ...flag('they joined', 'they did not join'), label: 'Joined', group: watching },
  completed: {
    ...flag('they completed the video', 'they did not complete the video'),
    label: 'Completed the video',
    group: watching,
  },
  purchased: {
    ...flag('they bought something', 'they bought nothing'),
    label: 'Bought something',
    group: interacting,
    help: 'A purchase is credited to the registration. A refund does not change the answer.',
    isRevenue: true,
  },
  clickedOffer: {
    ...clicked('offer'),
    label: 'Clicked offer',
    group: interacting,
    interactionTypes: ['offer'],
  },
  clickedInteraction: {
    ...clicked('offer, CTA or handout'),
    label: 'Clicked offer, CTA or handout',
    group: interacting,
    interactionTypes: ['offer', 'cta', 'handout'],
  },
  pollAnswer: {
    kind: 'answer',
    phrases: {
      eq: 'they answered {value}',
      neq: 'they did not answer {value}',
      exists: 'they answered any poll',
      absent: 'they answered no poll',
    },
    label: 'Poll answer',
    group: interacting,
    interactionTypes: ['poll'],
  },
  chatMessage: {
    kind: 'texts',
    phrases: {
      ...textPhrases('one of their chat messages'),
      neq: 'none of their chat messages is {value}',
      exists: 'they sent a chat message',
      absent: 'they sent no chat message',
    },
    label: 'Chat message',
    group: interacting,
  },
  'utm.source': { ...text('utm_source'), label: 'utm_source', group: registering },
  'utm.medium': { ...text('utm_medium'), label: 'utm_medium', group: registering },
  'utm.campaign': { ...text('utm_campaign'), label: 'utm_campaign', group: registering },
  'utm.term': { ...text('utm_term'), label: 'utm_term', group: registering },
  'utm.content': { ...text('utm_content'), label: 'utm_content', group: registering },
  sessionKind: {
    kind: 'choice',
    phrases: {
      eq: 'their session is {value}',
      neq: 'their session is not {value}',
      in: 'their session is one of {value}',
    },
    label: 'Kind of session',
    group: registering,
    choices: { scheduled: 'scheduled', just_in_time: 'just-in-time', on_demand: 'on demand' },
  },
  registrationSource: {
    kind: 'choice',
    phrases: {
      eq: 'they registered {value}',
      neq: 'they did not register {value}',
      in: 'they registered in one of these ways: {value}',
    },
    label: 'Way of registration',
    group: registering,
    choices: {
      page: 'on the registration page',
      api: 'over the API',
      bulk: 'in bulk',
      mcp: 'with an AI tool',
      dashboard: 'in the dashboard',
    },
  },
} as const satisfies Record<
  string,
  ConditionField & { [Kind in ConditionKind]: FieldOf<Kind> }[ConditionKind]
>;

/** A field that is not a custom field. */
export type ConditionFieldName = keyof typeof conditionFields;

export const customFieldPrefix = 'customFields.';

/** A field of the registration form. In its phrases, `{field}` is the name of the field. */
export const customConditionField = {
  kind: 'custom',
  label: 'Custom field',
  group: 'Custom fields',
  phrases: {
    ...textPhrases('{field}'),
    gte: '{field} is at least {value}',
    lte: '{field} is at most {value}',
  },
} as const satisfies ConditionField & FieldOf<'custom'>;

/** The fact of each kind of field. Of several values, a condition is met if one of them meets it. */
interface FactOf {
  number: number;
  flag: boolean;
  ids: readonly string[];
  answer: readonly PollAnswer[];
  text: string | null;
  texts: readonly string[];
  choice: string;
}

export interface PollAnswer {
  interactionId: string;
  optionId: string;
}

export const isPollAnswer = (value: unknown): value is PollAnswer =>
  typeof value === 'object' && value !== null && 'interactionId' in value;

/** The facts of an attendee, by the fields that compare them. */
export type AttendeeFacts = {
  readonly [Name in ConditionFieldName]: FactOf[(typeof conditionFields)[Name]['kind']];
} & { readonly customFields: Readonly<Record<string, string>> };

/** The record of a field. Undefined for an unknown one, and for a custom field without a key. */
export function conditionFieldOf(field: string): ConditionField | undefined {
  if (field.startsWith(customFieldPrefix) && field.length > customFieldPrefix.length)
    return customConditionField;
  return isFieldName(field) ? conditionFields[field] : undefined;
}

/** True for a field that is not a custom field. */
export const isFieldName = (field: string): field is ConditionFieldName =>
  Object.hasOwn(conditionFields, field);

/** True for a field whose fact says who bought something. */
export const isRevenueField = (field: unknown): boolean =>
  typeof field === 'string' && conditionFieldOf(field)?.isRevenue === true;
