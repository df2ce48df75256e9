export {
  allPresets,
  allScopes,
  allSurfaces,
  presets,
  resourceOf,
  scopes,
  surfaces,
  type Preset,
  type Scope,
  type Surface,
} from './access.ts';
export { allDeliveryFailures, deliveryFailures, type DeliveryFailure } from './delivery-failures.ts';
export { topics, type Topic } from './topics.ts';
