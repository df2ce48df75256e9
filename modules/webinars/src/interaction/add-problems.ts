import type { Issue } from '@service/errors';
import type { z } from 'zod';
import type { InteractionType } from '../entities/enums.ts';
import { problemsOf } from './problems-of.ts';

export function addProblems(type: InteractionType, input: object, ctx: z.core.$RefinementCtx): void {
  if (ctx.issues.some(({ path }) => path?.[0] === 'type')) return;
  addWholeProblems(input, ctx, (sound) => problemsOf({ ...sound, type }));
}

/** Adds the problems between fields. Fields that already have a problem are left out of the check. */
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

/** By default zod checks the whole object only if all fields are valid. This checks every object, so that all problems are reported. */
export const besideFieldProblems = {
  when: ({ value }: z.core.ParsePayload) => typeof value === 'object' && value !== null,
};
