import { z } from 'zod';
import type { FieldText } from './sender.ts';

/** The field of a key. Printable ASCII without spaces, because it is sent in a header. */
export const keyField = (text: Omit<FieldText, 'isSecret'>) =>
  z
    .string()
    .trim()
    .regex(/^[!-~]{8,300}$/, 'This is not a key.')
    .meta({ ...text, isSecret: true });
