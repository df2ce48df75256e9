/** The heading of an error code in the API reference. The same anchor as `docUrl` in the answers of the API. */
export const docsOfErrorCode = (code: string): string =>
  `/api/v1/docs#api-1/description/${code.replaceAll('_', '-')}`;
