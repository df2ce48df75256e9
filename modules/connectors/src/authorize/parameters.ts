import { oauthError } from '../errors.ts';

/** Parameters of a query or of a form. An empty one counts as missing (RFC 6749 3.1). */
export interface Parameters {
  /** Throws invalid_request when the parameter is repeated. */
  find(name: string): string | undefined;
  /** Throws invalid_request when the parameter is missing or repeated. */
  require(name: string): string;
  all(name: string): string[];
}

export function readParameters(params: URLSearchParams): Parameters {
  const all = (name: string): string[] => params.getAll(name).filter((value) => value !== '');
  const find = (name: string): string | undefined => {
    const values = all(name);
    if (values.length > 1) throw oauthError('invalid_request', `${name} is repeated.`);
    return values[0];
  };
  return {
    all,
    find,
    require(name) {
      const value = find(name);
      if (value === undefined) throw oauthError('invalid_request', `${name} is missing.`);
      return value;
    },
  };
}
