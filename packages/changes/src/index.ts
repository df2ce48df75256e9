export { createChangeAnnouncer, type ChangeAnnouncer } from './announcer.ts';
export { addChanges, type Changed } from './changed.ts';
export { createChangeWatch, type ChangedOrEverything, type ChangeWatch } from './watch.ts';
