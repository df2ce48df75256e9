import { z } from 'zod';

// Not int(), whose refusal would end the search for further problems of the same body, and not multipleOf(1), which takes
// numbers for whole that are off by a rounding error (1e-20, 86400.00000000001).
export const wholeNumber = z
  .number()
  .refine(Number.isSafeInteger, 'Must be a whole number.')
  .meta({ type: 'integer' });
