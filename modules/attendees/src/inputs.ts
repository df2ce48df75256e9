// Inputs that the forms of the dashboard check while a person types, and the sets of its filters. What is exported here imports nothing but
// zod, so that it can run in a browser. Every page loads the sets: without `sideEffects: false` in package.json it would load zod with them.
export { registrationSources, registrationStatuses } from './entities/registration-sets.ts';
export { customFieldProblems } from './registration/registrant-input.ts';
export { RegistrantRow } from './registration/registrant-input.ts';
