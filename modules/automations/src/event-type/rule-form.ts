// The rule form of the dashboard: the triggers, and a control for each of their params. It is made from the records of the event
// types, so that a new event type appears in the form by itself.
import { memberQuery } from '@service/trpc';
import { z } from 'zod';
import { controls, triggerGroups, type Control, type EventTypeRecord } from './define-event-type.ts';
import { eventType, eventTypes, hasFireMode } from './event-types.ts';
import { eventCatalogue, toJsonSchema } from './event-catalogue.ts';

const ParamOutput = z.object({
  name: z.string(),
  label: z.string(),
  help: z.string().nullable(),
  isRequired: z.boolean(),
  control: z.enum(controls),
  /** Limits of a number. */
  minimum: z.number().nullable(),
  maximum: z.number().nullable(),
  /** The values of a choice, and the one that is chosen at first. */
  choices: z.array(z.object({ value: z.string(), label: z.string(), phrase: z.string() })),
  default: z.string().nullable(),
  /** The types of interaction that can be chosen. */
  interactionTypes: z.array(z.string()),
});

type Param = z.output<typeof ParamOutput>;

const TriggerFormOutput = z.object({
  type: eventType,
  title: z.string(),
  group: z.enum(triggerGroups),
  when: z.string(),
  /** The template of the trigger in the sentence of a rule. */
  sentence: z.string(),
  description: z.string(),
  /** A sample of the whole body of the webhook. */
  sample: z.record(z.string(), z.unknown()),
  /** True if a rule with this trigger has a fire mode. */
  hasFireMode: z.boolean(),
  /** A rule fires once for each of these, and once in a session with the param, or if this is null. */
  firesPer: z.object({ noun: z.string(), param: z.string().nullable() }).nullable(),
  params: z.array(ParamOutput),
});

interface ParamsSchema {
  properties?: Record<string, { minimum?: number; maximum?: number; description?: string; default?: string }>;
  required?: string[];
}

function paramsOf({ params, controls: controlByName }: EventTypeRecord): Param[] {
  const { properties = {}, required = [] } = toJsonSchema(params) as ParamsSchema;
  return Object.entries(controlByName).map(([name, control]) => {
    const { minimum, maximum, description, default: initial } = properties[name] ?? {};
    return {
      name,
      label: control.label,
      help: description ?? null,
      isRequired: required.includes(name),
      control: control.control,
      minimum: minimum ?? null,
      maximum: maximum ?? null,
      choices: choicesOf(control),
      default: initial ?? null,
      interactionTypes: control.control === 'interaction' ? [...control.types] : [],
    };
  });
}

const choicesOf = (control: Control): Param['choices'] =>
  control.control === 'choice'
    ? Object.entries(control.choices).map(([value, texts]) => ({ value, ...texts }))
    : [];

const data = Object.values(eventTypes).map((record: EventTypeRecord<keyof typeof eventTypes>) => ({
  type: record.type,
  title: record.title,
  group: record.group,
  when: record.when,
  sentence: record.sentence,
  description: record.description,
  sample: eventCatalogue.find(({ type }) => type === record.type)!.sample,
  hasFireMode: hasFireMode(record.type),
  firesPer: record.firesPer ? { param: null, ...record.firesPer } : null,
  params: paramsOf(record),
}));

export const listTriggerForms = memberQuery()
  .output(z.object({ data: z.array(TriggerFormOutput) }))
  .query(() => ({ data }));

const texts = data.map(({ type, when }) => ({ type, when }));

/** The text of each trigger, such as "An attendee joins". A tenth of the bytes of the forms. */
export const listTriggerTexts = memberQuery()
  .output(z.object({ data: z.array(TriggerFormOutput.pick({ type: true, when: true })) }))
  .query(() => ({ data: texts }));
