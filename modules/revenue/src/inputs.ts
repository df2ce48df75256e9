// Inputs of the API that the browser loads too. This file imports nothing but zod and files that do the same.
export { stripeEventTypes } from './intake/providers/stripe/event-types.ts';
