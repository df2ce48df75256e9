// An event type is one record. The trigger schema, the comparison of params with events, the key that makes a rule fire once, the
// catalogue, the OpenAPI document and the rule form of the dashboard follow from it.
import type { AttendeeEvent } from '@service/attendees';
import type { EvaluationBudget } from '@service/conditions/budget';
import { instant } from '@service/trpc';
import type { InteractionType } from '@service/webinars';
import { z } from 'zod';

/** The part of an event that the params of a trigger are compared with. */
export type ComparedEvent = Pick<AttendeeEvent, 'data' | 'mark'>;

interface Comparison<Params> {
  event: ComparedEvent;
  /** All params, for one that changes the meaning of another. */
  params: Params;
  budget: EvaluationBudget;
}

/** Compares each given param with an event of the type. Undefined if the budget was spent before the result was clear. */
type Matches<Params> = {
  [Name in keyof Params]-?: (
    wanted: NonNullable<Params[Name]>,
    comparison: Comparison<Params>,
  ) => boolean | undefined;
};

/** The kinds of controls of a rule form. Those of an id list the records of the webinar. */
export const controls = [
  'number',
  'texts',
  'choice',
  'interaction',
  'poll_option',
  'branch',
  'segment',
] as const;

/** A value of a choice: its text in a list, and its text in the sentence of a rule. */
interface Choice {
  label: string;
  phrase: string;
}

/** The control of one param in a rule form. */
export type Control = { label: string } & (
  | { control: Exclude<(typeof controls)[number], 'choice' | 'interaction'> }
  | { control: 'choice'; choices: Readonly<Record<string, Choice>> }
  | { control: 'interaction'; types: readonly InteractionType[] }
);

/** A closed set of texts needs a label for each of them. */
type ControlOf<Value> = [Value] extends [string]
  ? string extends Value
    ? Control
    : { label: string; control: 'choice'; choices: Readonly<Record<Value, Choice>> }
  : Control;

type Controls<Params> = { [Name in keyof Params]-?: ControlOf<NonNullable<Params[Name]>> };

/** An event that a rule is about to fire for. */
interface FiredEvent {
  id: string;
  data: AttendeeEvent['data'];
  /** True for a rule with the fire mode `every_match`. */
  isEveryMatch: boolean;
}

/** The groups of triggers in a rule form, in their order. */
export const triggerGroups = [
  'Registration and attendance',
  'Watching',
  'Interactions and chat',
  'Adaptive webinars',
  'Revenue',
  'Time',
] as const;

interface Definition<Type extends string, Data extends z.ZodType, Params extends z.ZodType> {
  type: Type;
  title: string;
  group: (typeof triggerGroups)[number];
  /** Names the trigger in lists: "An attendee registers". */
  when: string;
  /**
   * Completes a sentence that begins with "When", with every param: `{minutes}`. `{pollId|a poll}` has a text for a param that is
   * not given, and a part in brackets is left out when one of its params is not given.
   */
  sentence: string;
  description: string;
  /** `event_data` of the webhook, with the field names of the specification. */
  data: Data;
  /** `event_data` of the sample. */
  sample: Record<string, unknown>;
  /** The params of a trigger. */
  params: Params;
  controls: Controls<z.output<Params>>;
  matches: Matches<z.output<Params>>;
  /** A rule fires once for each subject: an interaction, an option, a message. Empty if it fires once in a session. */
  subject(event: FiredEvent): string;
  /** The noun of a subject, and the param that lets one subject alone through. Absent if a rule fires once in a session. */
  firesPer?: { noun: string; param?: string };
}

export interface EventTypeRecord<Type extends string = string> extends Omit<
  Definition<Type, z.ZodType, z.ZodType>,
  'controls' | 'matches'
> {
  controls: Readonly<Record<string, Control>>;
  /** `{type, params}`. */
  trigger: z.ZodType;
  /** True if the params of a trigger let an event of its type through. Undefined if the budget was spent before that was clear. */
  matches(params: object, event: ComparedEvent, budget: EvaluationBudget): boolean | undefined;
}

/** Makes the record of an event type. Every param has to have a comparison and a control. */
export function defineEventType<
  const Type extends string,
  Data extends z.ZodType,
  Params extends z.ZodType<object>,
>(definition: Definition<Type, Data, Params>) {
  const { type, params: paramsSchema } = definition;
  const comparisons = Object.entries(definition.matches) as [keyof z.output<Params>, Compare<Params>][];
  const matches: EventTypeRecord['matches'] = (given, event, budget) => {
    const params = given as z.output<Params>;
    for (const [name, compare] of comparisons) {
      const wanted = params[name] ?? undefined;
      const isMatch = wanted === undefined || compare(wanted as never, { params, event, budget });
      if (isMatch !== true) return isMatch;
    }
    return true;
  };
  const trigger = z
    .strictObject({
      type: z.literal(type).describe('The event type.'),
      params: paramsSchema.describe('The values that narrow the event down.'),
    })
    .meta({ id: `${pascalCase(type)}Trigger` });
  return { ...definition, trigger, matches };
}

type Compare<Params extends z.ZodType> = (
  wanted: never,
  comparison: Comparison<z.output<Params>>,
) => boolean | undefined;

/** `watched_minutes` becomes `WatchedMinutes`. */
export const pascalCase = (name: string): string =>
  name.replaceAll(/(?:^|_)([a-z])/g, (_match, letter: string) => letter.toUpperCase());

/** The parts of a trigger without params. */
export const withoutParams = () => ({ params: z.strictObject({}).prefault({}), controls: {}, matches: {} });

/** Compares an id with a field of `event_data`. A rule may contain ids in upper case. */
export const isIdIn =
  (field: string) =>
  (wanted: string, { event }: Pick<Comparison<unknown>, 'event'>): boolean =>
    wanted.toLowerCase() === event.data[field];

/** The subject of an event type that fires once in a session. */
export const onceInSession = (): string => '';

/** A subject of fields of `event_data`: clicks on two interactions are two subjects. */
export const oncePer =
  (...fields: readonly string[]) =>
  ({ data }: FiredEvent): string =>
    fields.map((field) => textOf(data[field])).join(':');

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

// Fields of `event_data` that several event types have. Receivers treat every field as optional and accept further ones, so the
// schemas are open and require nothing.

export const seconds = (description: string) => z.int().min(0).optional().describe(description);
export const someId = (thing: string) => z.string().optional().describe(`The id of the ${thing}.`);
export const time = (description: string) => instant().optional().describe(description);

export const watched = {
  watchedSeconds: seconds('Watch time in seconds. Each second of the video counts once.'),
  completionPercent: z.int().min(0).max(100).optional().describe('The watched part of the video in percent.'),
};
