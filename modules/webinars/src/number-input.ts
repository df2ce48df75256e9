import { z } from 'zod';

// Not int(), whose refusal would end the search for further problems of the same body.
export const wholeNumber = z.number().multipleOf(1, 'Must be a whole number.').meta({ type: 'integer' });
