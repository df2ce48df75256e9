import { z } from 'zod';

/** A name that is part of a URL. */
export const slug = z
  .string()
  .max(80)
  .regex(
    /^[a-z0-9]+(-[a-z0-9]+)*$/,
    'Must have only lower-case letters and digits, with single hyphens between them.',
  );
