// Fields of `event_data` that several event types have. Receivers treat every field as optional and accept further ones, so the
// schemas are open and require nothing.
import { instant } from '@service/trpc';
import { z } from 'zod';

export const seconds = (description: string) => z.int().min(0).optional().describe(description);
export const someId = (thing: string) => z.string().optional().describe(`The id of the ${thing}.`);
export const time = (description: string) => instant().optional().describe(description);

export const watched = {
  watchedSeconds: seconds('Watch time in seconds. Each second of the video counts once.'),
  completionPercent: z.int().min(0).max(100).optional().describe('The watched part of the video in percent.'),
};
