interface FailureTexts {
  /** For lists and badges of the dashboard. */
  title: string;
  /** For the API reference. */
  description: string;
  /** For the mail about a paused endpoint. */
  lastTry: string;
}

/** Why an attempt of a delivery failed. `http_status`: the answer was not 2xx. All others: no usable answer arrived. */
export const deliveryFailures = {
  http_status: {
    title: 'Refused',
    description: 'the receiver did not answer with a 2xx status',
    lastTry: 'The last try was answered with an error.',
  },
  dns: {
    title: 'Host name not found',
    description: 'the host name could not be resolved',
    lastTry: 'At the last try its name could not be resolved.',
  },
  blocked_address: {
    title: 'Address not allowed',
    description: 'the host name resolved to an address that webhooks must not reach',
    lastTry: 'At the last try its name resolved to an address that webhooks must not reach.',
  },
  connect: {
    title: 'Could not connect',
    description: 'no connection could be made',
    lastTry: 'At the last try no connection could be made.',
  },
  tls: {
    title: 'TLS certificate not accepted',
    description: 'the TLS handshake failed, for example because of the certificate',
    lastTry: 'At the last try its certificate or its TLS was not accepted.',
  },
  timeout: {
    title: 'Timed out',
    description: 'the answer did not arrive within the time limit',
    lastTry: 'The last try was not answered within the time limit.',
  },
  reset: {
    title: 'Connection reset',
    description: 'the connection broke before the answer was complete, or the answer was not HTTP',
    lastTry: 'At the last try the connection broke before the answer was complete.',
  },
  too_many_redirects: {
    title: 'Too many redirects',
    description: 'the receiver redirected too often',
    lastTry: 'The last try was redirected too often.',
  },
  invalid_redirect: {
    title: 'Redirect not allowed',
    description: 'the receiver redirected to a URL that webhooks must not follow',
    lastTry: 'The last try was redirected to an address that webhooks must not follow.',
  },
  invalid_url: {
    title: 'Not a valid URL',
    description: 'webhooks cannot be sent to the URL',
    lastTry: 'Its URL is not one that webhooks can be sent to.',
  },
} satisfies Readonly<Record<string, FailureTexts>>;

/** The kind of a failure: why an attempt of a delivery failed. */
export type DeliveryFailure = keyof typeof deliveryFailures;

export const allDeliveryFailures = Object.keys(deliveryFailures) as readonly DeliveryFailure[];

/** Why a delivery failed: its last attempt failed, or none was made. */
export const failureReasons = {
  ...deliveryFailures,
  backlog_full: {
    title: 'Not sent: backlog full',
    description:
      'no attempt was made, because the workspace had reached a limit of its deliveries, or because too many waited for an endpoint ' +
      'that has never answered. It can be redelivered',
  },
} satisfies Readonly<Record<string, Omit<FailureTexts, 'lastTry'>>>;

export type FailureReason = keyof typeof failureReasons;

export const allFailureReasons = Object.keys(failureReasons) as readonly FailureReason[];
