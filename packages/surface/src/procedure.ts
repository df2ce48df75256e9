import type { Scope } from '@service/catalogue';
import type { AnyServiceRouter, ProcedureMeta } from '@service/trpc';
import type { z } from 'zod';

/** A procedure, as the chain calls it. */
export interface Procedure {
  /** Its name in the router, such as `webinars.get`. */
  procedure: string;
  type: 'query' | 'mutation';
  /** Undefined when any valid credential is enough. */
  scope: Scope | undefined;
  /** Further scopes that the client needs. */
  alsoScopes?: readonly Scope[] | undefined;
  /** Further scopes for what an input asks. */
  scopesFor?: ProcedureMeta['scopesFor'];
  /** The status of a success. */
  status: number;
  /** Inputs from the path of a REST route. A malformed one is answered not_found, like any other unknown id. */
  pathParameters?: readonly string[];
}

/** The data of a procedure. `text` is its JSON, if it was made already. */
export interface ProcedureResult {
  data: unknown;
  text?: string | undefined;
}

/** A procedure with everything from which a surface builds its routes or tools. */
export interface DescribedProcedure extends Procedure {
  meta: ProcedureMeta;
  /** Undefined for a procedure without an input. */
  input: z.ZodType | undefined;
  output: z.ZodType;
}

interface Definition {
  type: 'query' | 'mutation';
  inputs: z.ZodType[];
  output: z.ZodType;
  meta?: ProcedureMeta;
}

/** The procedures that clients may call. Those for the dashboard only are left out. */
export function clientProcedures(router: AnyServiceRouter): DescribedProcedure[] {
  const procedures = router._def.procedures as Record<string, { _def: Definition }>;
  return Object.entries(procedures).flatMap(([procedure, { _def: definition }]) => {
    const { type, inputs, output, meta } = definition;
    if (!meta || (meta.scope === undefined && !meta.anyKey)) return [];
    const { scope, alsoScopes, scopesFor, status = 200 } = meta;
    return [{ procedure, type, scope, alsoScopes, scopesFor, status, meta, input: inputs[0], output }];
  });
}

/** All scopes that a client needs for a procedure. */
export const scopesOf = ({ scope, alsoScopes = [] }: Pick<Procedure, 'scope' | 'alsoScopes'>): Scope[] =>
  scope === undefined ? [] : [scope, ...alsoScopes];
