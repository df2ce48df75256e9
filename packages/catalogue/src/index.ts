export {
  allPresets,
  allScopes,
  allSurfaces,
  presets,
  resourceOf,
  scopeNotices,
  scopes,
  surfaces,
  type Preset,
  type Scope,
  type Surface,
} from './access.ts';
export { currencyDigits } from './currency-digits.ts';
export {
  allDeliveryFailures,
  allFailureReasons,
  deliveryFailures,
  failureReasons,
  type DeliveryFailure,
  type FailureReason,
} from './delivery-failures.ts';
export { allSkipReasons, skipReasons, type SkipReason } from './skip-reasons.ts';
export { topics, type Topic } from './topics.ts';
