// Inputs that the forms of the dashboard check while a person types. What is exported here imports nothing but zod, so that it can
// run in a browser.
export { CreateWebinarInput, DuplicateWebinarInput, UpdateWebinarInput } from './authoring/schemas.ts';
export { locale, moment, slug, timezone } from './field-inputs.ts';
export { type Recurrence, type Schedule, weekdayNames } from './schedule/schedule.ts';
