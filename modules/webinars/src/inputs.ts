// Inputs that the forms of the dashboard check while a person types. What is exported here imports nothing but zod, so that it can
// run in a browser.
export { CreateWebinarInput, DuplicateWebinarInput, UpdateWebinarInput } from './authoring/schemas.ts';
export { locale, moment, slug } from './field-inputs.ts';
export { type Recurrence, type Schedule, weekdayNames } from './schedule/schedule.ts';
export { PreviewSlotsInput } from './session/schemas.ts';
export {
  branchKinds,
  interactionDisplays,
  interactionTypes,
  pollResults,
  type InteractionType,
} from './entities/enums.ts';
export { attributionWindows } from './entities/webinar-settings.ts';
export { interactionsMax, isWebAddress, showWhenMax } from './interaction/interaction-fields.ts';
export { createInputs } from './interaction/schemas.ts';
export { branchesMax, segmentsMax } from './segment/segment-fields.ts';
export { CreateBranchInput, CreateSegmentInput } from './segment/schemas.ts';
