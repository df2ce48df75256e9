import { instant } from '@service/trpc';
import { z } from 'zod';

/** The answer to a rotation. */
export const RotatedSecretOutput = z.object({
  id: z.uuid(),
  secret: z.string().describe('Keys the signatures from now on. Shown only this once.'),
  secretLast4: z.string(),
  secretRotatedAt: instant(),
});
