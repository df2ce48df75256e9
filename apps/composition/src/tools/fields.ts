// Fields of results. A result is the answer of a procedure with fewer fields, so their values need no further checks.
import { z } from 'zod';

export const text = z.string();
export const whole = z.number();
export const moment = z.string();
export const nullable = (field: z.ZodType) => field.nullable();
