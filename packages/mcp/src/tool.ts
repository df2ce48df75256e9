import type { Scope } from '@service/catalogue';
import { listRoutes, type Route } from '@service/rest';
import { clientProcedures, scopesOf, type DescribedProcedure } from '@service/surface';
import type { AnyServiceRouter } from '@service/trpc';
import { versionOf } from '@service/trpc/version';
import { z } from 'zod';
import { describeInput, describeOutput, type JsonSchema } from './tool-schema.ts';

/** A tool as the catalogue of the service defines it: a procedure, with texts for an assistant and a short result. */
export interface ToolDefinition {
  /** `verb_noun`. */
  name: string;
  /** The name of the procedure, such as `webinars.list`. */
  procedure: string;
  title: string;
  /** The questions that the tool answers, and the effects of a call. */
  description: string;
  /**
   * The fields of the answer that the tool returns; others are left out. Undefined for a procedure without an answer. It never
   * includes a secret.
   */
  output?: z.ZodType;
  hints?: ToolHints;
  /** Descriptions of arguments, instead of those of the procedure, which are for readers of the REST API. */
  texts?: Readonly<Record<string, string>>;
  /** JSON Schemas of arguments whose own schemas are too long for a list of tools; they keep the values of closed sets. */
  arguments?: Readonly<Record<string, JsonSchema>>;
  /** Arguments that the list of tools does not show. The procedure accepts them. */
  hiddenArguments?: readonly string[];
}

/** Facts from which a client decides whether it asks a person for consent. */
export interface ToolHints {
  /** By default true for a query. */
  readOnly?: boolean;
  /** Removes or overwrites something. */
  destructive?: boolean;
  /** A second call with the same arguments changes nothing more. */
  idempotent?: boolean;
  /** Sends something to another server or to people. */
  openWorld?: boolean;
}

/** A tool, ready for calls. */
export interface Tool {
  name: string;
  procedure: DescribedProcedure;
  scopes: readonly Scope[];
  /** Its entry in `tools/list`. */
  listed: ListedTool;
  /** A write takes an idempotency key. */
  isWrite: boolean;
  /** A change of a record takes its version, as `If-Match` of REST. */
  isEdit: boolean;
  /** A list with pages has `rowsMax` rows by default. */
  isPaged: boolean;
  /** A list has `rowsMax` rows at most. */
  takesLimit: boolean;
  /**
   * The result of the tool, from the answer of its procedure. A record that people edit has its version beside it. Throws for an
   * answer that does not fit.
   */
  shape(data: unknown): object;
}

export interface ListedTool {
  name: string;
  title: string;
  description: string;
  inputSchema: JsonSchema & { type: 'object' };
  /** Only of a read. A write answers with a few fields of what it changed, and the client knows what it has changed. */
  outputSchema?: JsonSchema & { type: 'object' };
  annotations: Record<string, boolean>;
}

/** The result of a write without an answer. */
const Done = z.object({ done: z.literal(true) });

/** Builds the tools in the order of their definitions. Throws for an unknown procedure, and for two tools with one name. */
export function createTools(router: AnyServiceRouter, definitions: readonly ToolDefinition[]): Tool[] {
  const routes = new Map(listRoutes(router).map((route) => [route.procedure, route]));
  const names = new Set<string>();
  for (const { name } of definitions) {
    if (names.has(name)) throw new Error(`Two tools have the name ${name}`);
    names.add(name);
  }
  return withProcedures(router, definitions, (definition, procedure) =>
    createTool(definition, procedure, routes.get(procedure.procedure)),
  );
}

/** A tool as people read about it. */
export interface ToolSummary {
  name: string;
  title: string;
  /** The first sentence of the description, as plain text. */
  summary: string;
  /** All of them are needed. Empty: any credential of the surface is enough. */
  scopes: readonly Scope[];
  isWrite: boolean;
  isDestructive: boolean;
}

/** The tools for a list that people read, in the order of their definitions. */
export const summarizeTools = (router: AnyServiceRouter, definitions: readonly ToolDefinition[]) =>
  withProcedures(router, definitions, (definition, procedure): ToolSummary => ({
    name: definition.name,
    title: definition.title,
    summary: firstSentence(definition.description),
    scopes: scopesOf(procedure),
    isWrite: isWriteOf(definition, procedure),
    isDestructive: definition.hints?.destructive === true,
  }));

const firstSentence = (text: string): string => (/^.*?\.(?= |$)/.exec(text)?.[0] ?? text).replaceAll('`', '');

function withProcedures<Result>(
  router: AnyServiceRouter,
  definitions: readonly ToolDefinition[],
  build: (definition: ToolDefinition, procedure: DescribedProcedure) => Result,
): Result[] {
  const procedures = new Map(clientProcedures(router).map((described) => [described.procedure, described]));
  return definitions.map((definition) => {
    const procedure = procedures.get(definition.procedure);
    if (!procedure) throw new Error(`The tool ${definition.name} has no procedure ${definition.procedure}`);
    return build(definition, procedure);
  });
}

const isWriteOf = ({ hints }: ToolDefinition, { type }: DescribedProcedure): boolean =>
  type === 'mutation' && hints?.readOnly !== true;

function createTool(
  definition: ToolDefinition,
  procedure: DescribedProcedure,
  route: Pick<Route, 'method' | 'isRecord'> | undefined,
): Tool {
  const { name, title, description, output = Done } = definition;
  const isWrite = isWriteOf(definition, procedure);
  const isEdit = route?.method === 'PATCH';
  const isRecord = route?.isRecord ?? false;
  const input = procedure.input ?? z.strictObject({});
  const fields = input instanceof z.ZodObject ? input.shape : {};
  return {
    name,
    procedure,
    scopes: scopesOf(procedure),
    listed: {
      name,
      title,
      description,
      inputSchema: describeInput(input, { ...definition, isWrite, isEdit }),
      ...(!isWrite && { outputSchema: describeOutput(output) }),
      annotations: annotationsOf(definition, isWrite),
    },
    isWrite,
    isEdit,
    isPaged: 'cursor' in fields,
    takesLimit: 'limit' in fields,
    shape: (data) => ({
      ...(output.parse(definition.output ? data : { done: true }) as object),
      ...(isRecord && { version: versionOf((data as { data: object }).data) }),
    }),
  };
}

function annotationsOf({ hints = {} }: ToolDefinition, isWrite: boolean): Record<string, boolean> {
  const { destructive = false, idempotent = false, openWorld = false } = hints;
  if (!isWrite) return { readOnlyHint: true, openWorldHint: openWorld };
  return {
    readOnlyHint: false,
    destructiveHint: destructive,
    ...(idempotent && { idempotentHint: true }),
    openWorldHint: openWorld,
  };
}

/**
 * A record with the texts of strangers under `untrusted`: names, answers, messages, bodies of receivers. An assistant could read such
 * a text as an instruction, so every result has them at this key, and the instructions of the server say that they are data.
 */
export const withUntrusted = <Own extends z.ZodRawShape, Untrusted extends z.ZodRawShape>(
  own: Own,
  untrusted: Untrusted,
) =>
  z.preprocess(
    (record) => (typeof record === 'object' && record ? { ...record, untrusted: record } : record),
    z.object({ ...own, untrusted: z.object(untrusted) }),
  );

/** A result with one record. */
export const one = <Record extends z.ZodType>(record: Record) => z.object({ data: record });

/** A result with a page of a list. */
export const page = <Row extends z.ZodType>(row: Row) =>
  z.object({
    data: z.array(row),
    pagination: z.object({ nextCursor: z.string().nullable(), hasMore: z.boolean() }),
  });
