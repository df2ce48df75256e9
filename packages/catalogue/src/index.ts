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
export {
  allDeliveryFailures,
  allFailureReasons,
  deliveryFailures,
  failureReasons,
  type DeliveryFailure,
  type FailureReason,
} from './delivery-failures.ts';
export {
  breakdowns,
  currencyDigits,
  isCurrency,
  paymentStates,
  periods,
  revenueEventTypes,
  type Breakdown,
  type PaymentState,
  type Period,
  type RevenueEventType,
} from './revenue.ts';
export { allSkipReasons, skipReasons, type SkipReason } from './skip-reasons.ts';
export { topics, type Topic } from './topics.ts';
