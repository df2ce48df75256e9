import type { Issue } from '@service/errors';
import type { z } from 'zod';
import { type InteractionType, interactionTypes } from '../entities/enums.ts';
import { addWholeProblems } from '../field-inputs.ts';
import { type InteractionFields, typeDefaults, typeFields } from './interaction-fields.ts';

type Draft = Partial<InteractionFields> & { type: InteractionType };

const nouns: Record<InteractionType, string> = {
  offer: 'an offer',
  cta: 'a CTA',
  poll: 'a poll',
  handout: 'a handout',
  chat: 'a chat message',
};

/** Problems between the fields of an interaction. Each field is valid by itself. */
export const problemsOf = (draft: Draft): Issue[] => [
  ...missingFields(draft),
  ...foreignFields(draft),
  ...timeProblems(draft),
  ...priceProblems(draft),
  ...optionProblems(draft),
];

function missingFields({ type, ...fields }: Draft): Issue[] {
  return Object.keys(typeFields[type])
    .filter((name) => !(name in typeDefaults[type]) && !(name in fields))
    .map((name) => ({ path: name, message: `Required for ${nouns[type]}.` }));
}

function foreignFields({ type, ...fields }: Draft): Issue[] {
  const foreign = new Set(interactionTypes.flatMap((other) => Object.keys(typeFields[other])));
  return Object.keys(fields)
    .filter((name) => foreign.has(name) && !(name in typeFields[type]))
    .map((name) => ({ path: name, message: `Not a field of ${nouns[type]}.` }));
}

function timeProblems({ showAtSeconds, hideAtSeconds }: Draft): Issue[] {
  if (showAtSeconds === undefined || hideAtSeconds === undefined || hideAtSeconds === null) return [];
  return hideAtSeconds > showAtSeconds
    ? []
    : [{ path: 'hideAtSeconds', message: 'Must be after the time at which it appears.' }];
}

function priceProblems({ type, priceMinor = null, currency = null }: Draft): Issue[] {
  if (type !== 'offer' || (priceMinor === null) === (currency === null)) return [];
  return currency === null
    ? [{ path: 'currency', message: 'A price needs a currency.' }]
    : [{ path: 'priceMinor', message: 'A currency needs a price.' }];
}

function optionProblems({ type, options = [] }: Draft): Issue[] {
  if (type !== 'poll') return [];
  const ids = options.map((option) => option.id);
  return ids.flatMap((id, index) =>
    id !== undefined && ids.indexOf(id) < index
      ? [{ path: `options.${index}.id`, message: 'Another option has this id.' }]
      : [],
  );
}

export function addProblems(type: InteractionType, input: object, ctx: z.core.$RefinementCtx): void {
  if (ctx.issues.some(({ path }) => path?.[0] === 'type')) return;
  addWholeProblems(input, ctx, (sound) => problemsOf({ ...sound, type }));
}
