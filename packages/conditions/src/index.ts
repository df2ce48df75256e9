// Browsers load this door, so it imports nothing but zod. The budget of an evaluation is behind a door of its own.
export {
  conditionFieldOf,
  conditionFields,
  conditionVerbs,
  customConditionField,
  customFieldPrefix,
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
export { conditionParts, conditionText, orList, verbOf, type ConditionNames } from './condition-sentence.ts';
export { fillTemplate, sentenceText, type SentencePart, type SentenceValue } from './fill-template.ts';
export { foldOnce } from './fold-once.ts';
export { containsText, containsWord } from './search-text.ts';
