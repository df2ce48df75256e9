// Inputs that the forms of the dashboard check while a person types. What is exported here imports nothing but zod, so that it can
// run in a browser.
export { customFieldProblems } from './registration/registrant-input.ts';
export { RegistrantRow } from './registration/registrant-input.ts';
