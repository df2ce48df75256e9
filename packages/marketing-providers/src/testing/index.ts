// Fake marketing tools that behave like the real ones, for tests here and elsewhere.
export { applyChange, exampleChange, refusedKeys, type TakenStep } from './apply-change.ts';
export { checkConsentHistories, type ConsentRun } from './consent-histories.ts';
export {
  createFake,
  createFakeSend,
  createTestContext,
  credentialOf,
  providerOf,
  samplesOf,
  type Send,
  startFake,
} from './fakes.ts';
export type {
  FakeAnswer,
  FakeContact,
  FakeRequest,
  Fault,
  RunningFake,
  Samples,
  ToolFake,
} from './tool-fake.ts';
