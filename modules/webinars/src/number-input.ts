import { z } from 'zod';

// Not int(): its refusal stops zod before it finds the other problems of the body. Not multipleOf(1): it accepts numbers with a
// rounding error (1e-20, 86400.00000000001).
export const wholeNumber = z
  .number()
  .refine(Number.isSafeInteger, 'Must be a whole number.')
  .meta({ type: 'integer' });
