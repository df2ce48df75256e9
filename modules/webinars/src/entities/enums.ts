// The closed sets of the entities, apart from them, because the dashboard checks inputs with the same sets.
import { z } from 'zod';

export const webinarKinds = ['standard', 'adaptive'] as const;
export const webinarStatuses = ['draft', 'published', 'archived'] as const;

export const sessionKinds = ['scheduled', 'just_in_time', 'on_demand'] as const;
export const sessionControls = ['clock', 'api'] as const;
export const sessionStatuses = ['scheduled', 'live', 'ended', 'cancelled'] as const;

export const sessionStatus = z.enum(sessionStatuses).meta({
  id: 'SessionStatus',
  description:
    '`scheduled`: not started. `live`: started and not ended. `ended`: over. `cancelled`: does not take place.',
});

export const interactionTypes = ['offer', 'cta', 'poll', 'handout', 'chat'] as const;
export const interactionDisplays = ['popup', 'panel', 'banner'] as const;
export const pollResults = ['never', 'after_vote', 'live'] as const;

export const branchKinds = ['choice', 'condition', 'default'] as const;

export type SessionKind = (typeof sessionKinds)[number];
export type SessionStatus = (typeof sessionStatuses)[number];
export type InteractionType = (typeof interactionTypes)[number];
