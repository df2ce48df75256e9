// Browsers load this door, so it imports nothing but zod. The budget of an evaluation is behind a door of its own.
export {
  conditionFieldOf,
  conditionFields,
  conditionVerbs,
  customConditionField,
  customFieldPrefix,
  isPollAnswer,
  isRevenueField,
  operatorsByKind,
  type AttendeeFacts,
  type ConditionField,
  type ConditionVerb,
} from './condition-fields.ts';
export {
  conditionList,
  conditionOperator,
  ConditionOutput,
  Conditions,
  conditionsMax,
  type Condition,
} from './condition.ts';
export { areMet, evaluateConditions, readsMessages, type ConditionResult } from './evaluate-conditions.ts';
export {
  actualText,
  conditionParts,
  conditionText,
  fillTemplate,
  orList,
  sentenceText,
  verbOf,
  type ConditionNames,
  type SentencePart,
  type SentenceValue,
} from './condition-sentence.ts';
export { containsText, containsWord, foldOnce } from './search-text.ts';
