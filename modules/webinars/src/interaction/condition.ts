// What must be true of an attendee for an interaction to be shown to them. The room evaluates it; here it is only judged
// for sense, so that a condition that could never hold is refused when it is written and not found out later.
import { text } from '@service/trpc';
import { z } from 'zod';

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

type Operator = (typeof conditionOperators)[number];

/** What a field holds, the operators that make sense of it, and the value they compare with. */
interface FieldKind {
  operators: readonly Operator[];
  value: z.ZodType;
  expected: string;
}

const uuid: FieldKind = { operators: ['eq', 'neq', 'in'], value: z.uuid(), expected: 'an id' };
const words: FieldKind = {
  operators: ['eq', 'neq', 'contains', 'contains_word', 'in'],
  value: z.string(),
  expected: 'a text',
};
const flag: FieldKind = { operators: ['eq', 'neq'], value: z.boolean(), expected: 'true or false' };
const amount: FieldKind = {
  operators: ['eq', 'neq', 'gte', 'lte'],
  value: z.number().min(0),
  expected: 'a number that is not negative',
};
const answer: FieldKind = {
  operators: ['eq', 'neq'],
  value: z.object({ interactionId: z.uuid(), optionId: z.string() }),
  expected: '{interactionId, optionId}',
};

const kindByField: Readonly<Record<string, FieldKind>> = {
  watchedPercent: amount,
  watchedMinutes: amount,
  joined: flag,
  completed: flag,
  purchased: flag,
  clickedOffer: uuid,
  clickedInteraction: uuid,
  pollAnswer: answer,
  chatMessage: words,
  sessionKind: words,
  registrationSource: words,
};

/** `utm.campaign`, and whatever the registration form of the webinar asks for. */
const textFields = /^(utm\.(source|medium|campaign|term|content)|customFields\.[\w-]{1,64})$/;

const ConditionValue = z.union(
  [
    text(500),
    z.number(),
    z.boolean(),
    z.array(text(500)).min(1).max(20),
    z.strictObject({ interactionId: z.uuid(), optionId: text(64) }),
  ],
  'A text, a number, true or false, a list of 1 to 20 texts, or {interactionId, optionId}.',
);

export const ConditionInput = z
  .strictObject({
    field: z
      .string()
      .max(100)
      .refine((name) => kindOf(name) !== undefined, 'Not a field that a condition can ask for.')
      .describe(`One of ${Object.keys(kindByField).join(', ')}, utm.* or customFields.*.`),
    operator: z.enum(conditionOperators),
    value: ConditionValue.describe('`in` compares with a list, `exists` with true or false.'),
  })
  .superRefine(({ field, operator, value }, ctx) => {
    const kind = kindOf(field);
    if (!kind) return;
    if (operator !== 'exists' && !kind.operators.includes(operator)) {
      const message = `${field} can be compared with ${[...kind.operators, 'exists'].join(', ')}.`;
      ctx.addIssue({ code: 'custom', path: ['operator'], message });
    } else {
      const { schema, expected } = operandOf(kind, operator);
      if (!schema.safeParse(value).success)
        ctx.addIssue({ code: 'custom', path: ['value'], message: `Must be ${expected}.` });
    }
  });

export type Condition = z.output<typeof ConditionInput>;

function kindOf(field: string): FieldKind | undefined {
  if (Object.hasOwn(kindByField, field)) return kindByField[field];
  return textFields.test(field) ? words : undefined;
}

function operandOf(kind: FieldKind, operator: Operator): { schema: z.ZodType; expected: string } {
  if (operator === 'exists') return { schema: flag.value, expected: flag.expected };
  if (operator === 'in') return { schema: z.array(kind.value), expected: `a list, each ${kind.expected}` };
  return { schema: kind.value, expected: kind.expected };
}
