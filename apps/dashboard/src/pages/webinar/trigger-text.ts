import type { Rule } from '../../trpc.ts';

export const triggerTexts: Record<Rule['trigger']['type'], string> = { registered: 'An attendee registers' };
