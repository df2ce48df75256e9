export { createBatcher } from './batcher.ts';
export { createLoader } from './loader.ts';
export {
  createFailureFilter,
  createRepeater,
  nextMultipleMs,
  timerErrorMs,
  type Repeater,
  type UntilWork,
} from './repeater.ts';
export { createPlaces, slowMs, type Place, type Places } from './send-places.ts';
