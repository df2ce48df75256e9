export { contactsModule } from './module.ts';
export { createContactWorker, type Clock, type ContactWorker } from './send/contact-worker.ts';
export { releaseHeldChanges } from './send/held-changes.ts';
