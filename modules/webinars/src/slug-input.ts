import { z } from 'zod';

/** A name as part of an address. */
export const slug = z
  .string()
  .max(80)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'Lower-case letters and digits, with single hyphens between.');
