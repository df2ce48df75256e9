import type { Issue } from '@service/errors';
import type { z } from 'zod';
import type { InteractionType } from '../entities/interaction.ts';
import { problemsOf } from './problems-of.ts';

export function addProblems(type: InteractionType, input: object, ctx: z.core.$RefinementCtx): void {
  if (ctx.issues.some(({ path }) => path?.[0] === 'type')) return;
  addWholeProblems(input, ctx, (sound) => problemsOf({ ...sound, type }));
}

/** Adds what is wrong with the whole; a field that is wrong by itself has been named and is left out of what is judged. */
export function addWholeProblems(
  input: object,
  ctx: z.core.$RefinementCtx,
  judge: (sound: object) => readonly Issue[],
): void {
  const named = new Set(ctx.issues.map((issue) => issue.path?.[0]));
  const sound = Object.fromEntries(Object.entries(input).filter(([name]) => !named.has(name)));
  for (const { path, message } of judge(sound)) {
    const keys = path.split('.');
    if (!named.has(keys[0])) ctx.addIssue({ code: 'custom', path: keys, message });
  }
}

/** By itself zod judges the whole only once each field is sound; so that all problems are told, any object is judged. */
export const besideFieldProblems = {
  when: ({ value }: z.core.ParsePayload) => typeof value === 'object' && value !== null,
};
