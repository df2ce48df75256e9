// The sentence of a condition: "they clicked Spring bundle". Its words are in `condition-fields.ts`.
import {
  conditionFieldOf,
  customFieldPrefix,
  isPollAnswer,
  type ConditionField,
  type ConditionVerb,
} from './condition-fields.ts';
import type { Condition } from './condition.ts';

/** A value in a sentence. Pages set it apart from the words around it. */
export interface SentenceValue {
  text: string;
  /** The record with this id was deleted. */
  isMissing?: boolean;
}

export type SentencePart = string | SentenceValue;

/** The names of the records that conditions refer to. A deleted record is named as such. */
export interface ConditionNames {
  interaction(id: string): SentenceValue;
  option(interactionId: string, optionId: string): SentenceValue;
  /** The label of a field of the registration form. */
  customField(key: string): string;
}

/** A condition as a part of a sentence: "they clicked Spring bundle". */
export function conditionParts({ field, operator, value }: Condition, names: ConditionNames): SentencePart[] {
  if (field === '' || field === customFieldPrefix) return [{ text: '…' }];
  const record = conditionFieldOf(field);
  const verb = verbOf({ operator, value }, record);
  const phrase = record?.phrases[verb];
  // The service has a field or an operator that this page does not know yet.
  if (!record || phrase === undefined) return [`${field} ${operator} `, { text: JSON.stringify(value) }];
  return fillTemplate(phrase, {
    field: { text: names.customField(field.slice(customFieldPrefix.length)) },
    value: valueOf(value, { record, names }),
  });
}

export const conditionText = (condition: Condition, names: ConditionNames): string =>
  sentenceText(conditionParts(condition, names));

/** The operator as people choose it. `is not true` is `is false`. */
export function verbOf(
  { operator, value }: Pick<Condition, 'operator' | 'value'>,
  record: ConditionField | undefined,
): ConditionVerb {
  if (operator === 'exists') return value === false ? 'absent' : 'exists';
  if (record?.kind === 'flag') return (operator === 'eq') === (value !== false) ? 'eq' : 'neq';
  return operator;
}

interface ValueContext {
  record: ConditionField;
  names: ConditionNames;
}

function valueOf(value: Condition['value'], context: ValueContext): SentenceValue {
  if (Array.isArray(value)) {
    const all = value.map((one) => textOf(one, context));
    return { text: orList(all.map(({ text }) => text)), isMissing: all.some(({ isMissing }) => isMissing) };
  }
  if (typeof value === 'object') return answerText(value, context.names);
  return textOf(String(value), context);
}

function textOf(value: string, { record: { kind, choices }, names }: ValueContext): SentenceValue {
  if (value === '') return { text: '…' };
  if (kind === 'ids') return names.interaction(value);
  return { text: choices?.[value] ?? (isTyped(kind) ? `“${value}”` : value) };
}

/** Values that people type. */
const isTyped = (kind: ConditionField['kind']): boolean =>
  kind === 'text' || kind === 'texts' || kind === 'custom';

function answerText(
  answer: { interactionId: string; optionId: string },
  names: ConditionNames,
): SentenceValue {
  if (answer.interactionId === '') return { text: '…' };
  const poll = names.interaction(answer.interactionId);
  if (poll.isMissing) return poll;
  const option = answer.optionId === '' ? { text: '…' } : names.option(answer.interactionId, answer.optionId);
  return { text: `${option.text} in ${poll.text}`, isMissing: option.isMissing };
}

/** "a, b or c" */
export const orList = (texts: readonly string[]): string =>
  new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(texts);

/** The actual value of a condition in words: "41", "Spring bundle and Slides", "nothing". */
export function actualText(
  { field, actual }: { field: string; actual?: unknown },
  names: ConditionNames,
): string {
  if (actual === null || actual === undefined || actual === '') return 'nothing';
  if (typeof actual === 'boolean') return actual ? 'yes' : 'no';
  if (!Array.isArray(actual)) return oneText(field, actual, names);
  if (actual.length === 0) return 'nothing';
  const shown = actual.slice(0, shownMax).map((one) => oneText(field, one, names));
  const more = actual.length - shown.length;
  return listOf(more > 0 ? [...shown, `${more} more`] : shown);
}

const shownMax = 5;

function oneText(field: string, value: unknown, names: ConditionNames): string {
  const record = conditionFieldOf(field);
  if (record?.kind === 'ids') return names.interaction(String(value)).text;
  if (isPollAnswer(value))
    return `${names.option(value.interactionId, value.optionId).text} in ${names.interaction(value.interactionId).text}`;
  if (typeof value === 'string') return record?.choices?.[value] ?? `“${value}”`;
  return typeof value === 'number' ? String(value) : JSON.stringify(value);
}

const listOf = (texts: readonly string[]): string =>
  new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(texts);

type Values = Readonly<Record<string, SentenceValue | undefined>>;

/**
 * The parts of a sentence, from its template: `{name}` is a value, `{name|any poll}` has a text for a value that is not given, and a
 * part in brackets is left out when one of its values is not given. A value that is not given and has no text of its own is a gap,
 * which a person must fill.
 */
export function fillTemplate(template: string, values: Values): SentencePart[] {
  return template
    .split(/(\[[^\]]*\])/)
    .flatMap((part) =>
      part.startsWith('[') ? fillOptional(part.slice(1, -1), values) : fillPart(part, values),
    );
}

const fillOptional = (part: string, values: Values): SentencePart[] =>
  namesIn(part).every((name) => values[name] !== undefined) ? fillPart(part, values) : [];

function fillPart(part: string, values: Values): SentencePart[] {
  return part
    .split(/(\{[^}]*\})/)
    .filter((piece) => piece !== '')
    .map((piece) => {
      if (!piece.startsWith('{')) return piece;
      const [name = '', otherwise] = piece.slice(1, -1).split('|');
      return values[name] ?? otherwise ?? { text: '…' };
    });
}

const namesIn = (part: string): string[] => [...part.matchAll(/\{(\w+)/g)].map(([, name]) => name!);

export const sentenceText = (parts: readonly SentencePart[]): string =>
  parts.map((part) => (typeof part === 'string' ? part : part.text)).join('');
