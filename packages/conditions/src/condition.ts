// A condition compares a field of an attendee with a value. The field and the operator decide which values are allowed.
import { id, text } from '@service/trpc/fields';
import { z } from 'zod';
import {
  conditionFieldOf,
  conditionFields,
  conditionOperators,
  customFieldPrefix,
  operatorsByKind,
  type ConditionField,
  type ConditionKind,
  type ConditionOperator,
} from './condition-fields.ts';

export const conditionOperator = z.enum(conditionOperators).meta({
  id: 'ConditionOperator',
  description: 'The operators allowed depend on the field. `exists` takes true or false.',
});

const PollAnswerInput = z
  .strictObject({ interactionId: id('poll'), optionId: text(100).describe('The id of the option.') })
  .meta({ id: 'ConditionPollAnswerInput' });

const Value = z
  .union(
    [
      text(500),
      z.number().min(-1e15).max(1e15),
      z.boolean(),
      z.array(text(500)).min(1).max(50).meta({ id: 'ConditionTextsInput' }),
      PollAnswerInput,
    ],
    'Must be a string, a number, true, false, a list of up to 50 strings, or a poll answer {interactionId, optionId}.',
  )
  .meta({ id: 'ConditionValueInput', description: 'Value to compare with. Case is ignored.' });

export type ConditionValue = z.output<typeof Value>;

const fieldList = [...Object.keys(conditionFields), `${customFieldPrefix}<key>`].join(', ');

export const Condition = z
  .strictObject({
    field: text(100).describe(`One of ${fieldList}.`),
    operator: conditionOperator,
    value: Value,
  })
  .superRefine((condition, context) => {
    for (const { path, message } of problemsOf(condition)) {
      context.addIssue({ code: 'custom', path: [path], message });
    }
  })
  .meta({ id: 'ConditionInput' });

export type Condition = z.output<typeof Condition>;

const ValueOutput = z
  .union([
    z.string(),
    z.number(),
    z.boolean(),
    z.array(z.string()).meta({ id: 'ConditionTexts' }),
    z
      .object({
        interactionId: z.string().describe('The id of the poll.'),
        optionId: z.string().describe('The id of the option.'),
      })
      .meta({ id: 'ConditionPollAnswer' }),
  ])
  .meta({ id: 'ConditionValue', description: 'Value to compare with. Case is ignored.' });

/** A stored condition was checked when it was written. */
export const ConditionOutput = z
  .object({
    field: z.string().describe('The fact of the attendee that is compared.'),
    operator: conditionOperator,
    value: ValueOutput,
  })
  .meta({ id: 'Condition' });

/**
 * Characters in all values of one condition list. Without this limit a webinar's rules could have 50 MB, which every process
 * reads again when a rule changes, and its branches 100 MB, which every batch of the room reads.
 */
const valuesMax = 10_000;

/** Conditions that are evaluated together. */
export const conditionList = (max: number) =>
  z
    .array(Condition)
    .max(max)
    .refine((conditions) => lengthOf(conditions.map(({ value }) => value)) <= valuesMax, {
      message: 'The values of all conditions must have at most 10,000 characters together.',
    });

/** The conditions of a rule or a branch. */
export const conditionsMax = 20;

/** An empty list is always met. */
export const Conditions = conditionList(conditionsMax).describe(
  'All conditions must be met when the event happens. An empty list is always met. The values have at most 10,000 characters together.',
);

function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, one) => sum + lengthOf(one), 0);
}

interface Problem {
  path: keyof Condition;
  message: string;
}

/** Finds problems that the schema of a condition does not express. */
function problemsOf({ field, operator, value }: Condition): Problem[] {
  const known = conditionFieldOf(field);
  if (!known) return [{ path: 'field', message: `Unknown field. Must be one of ${fieldList}.` }];
  const allowed: readonly ConditionOperator[] = operatorsByKind[known.kind];
  if (!allowed.includes(operator))
    return [{ path: 'operator', message: `${field} takes ${allowed.join(', ')}.` }];
  const wanted = wantedValue(known, operator);
  return wanted.schema.safeParse(value).success
    ? []
    : [{ path: 'value', message: `Must be ${wanted.what}.` }];
}

interface WantedValue {
  schema: z.ZodType;
  what: string;
}

const number = { schema: z.number(), what: 'a number' };
const flag = { schema: z.boolean(), what: 'true or false' };
const string = { schema: z.string(), what: 'a string' };

const wantedByKind: Record<Exclude<ConditionKind, 'choice'>, WantedValue> = {
  number,
  flag,
  ids: { schema: z.uuid(), what: 'the id of an interaction' },
  answer: { schema: PollAnswerInput, what: 'a poll answer {interactionId, optionId}' },
  text: string,
  texts: string,
  custom: string,
};

function wantedValue({ kind, choices = {} }: ConditionField, operator: ConditionOperator): WantedValue {
  if (operator === 'exists') return flag;
  if (operator === 'gte' || operator === 'lte') return number;
  const values = Object.keys(choices);
  const one =
    kind === 'choice' ? { schema: z.enum(values), what: `one of ${values.join(', ')}` } : wantedByKind[kind];
  return operator === 'in' ? { schema: z.array(one.schema), what: `a list, each ${one.what}` } : one;
}
