import type { Scope } from '@service/catalogue';
import { clientProcedures, scopesOf, type DescribedProcedure } from '@service/surface';
import type { AnyServiceRouter } from '@service/trpc';
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
  /** JSON Schemas of arguments whose own schemas are too long for a list of tools. The procedure still checks their values. */
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
  isPaged: boolean;
  /** The result of the tool, from the answer of its procedure. Throws for an answer that does not fit. */
  shape(data: unknown): object;
}

export interface ListedTool {
  name: string;
  title: string;
  description: string;
  inputSchema: JsonSchema & { type: 'object' };
  outputSchema: JsonSchema & { type: 'object' };
  annotations: Record<string, boolean>;
}

/** The result of a write without an answer. */
const Done = z.object({ done: z.literal(true) });

/** Builds the tools in the order of their definitions. Throws for an unknown procedure, and for two tools with one name. */
export function createTools(router: AnyServiceRouter, definitions: readonly ToolDefinition[]): Tool[] {
  const procedures = new Map(clientProcedures(router).map((described) => [described.procedure, described]));
  const names = new Set<string>();
  return definitions.map((definition) => {
    const { name } = definition;
    const procedure = procedures.get(definition.procedure);
    if (!procedure) throw new Error(`The tool ${name} has no procedure ${definition.procedure}`);
    if (names.has(name)) throw new Error(`Two tools have the name ${name}`);
    names.add(name);
    return createTool(definition, procedure);
  });
}

function createTool(definition: ToolDefinition, procedure: DescribedProcedure): Tool {
  const { name, title, description, output = Done } = definition;
  const isWrite = procedure.type === 'mutation' && definition.hints?.readOnly !== true;
  const input = procedure.input ?? z.strictObject({});
  let listed: ListedTool | undefined;
  return {
    name,
    procedure,
    scopes: scopesOf(procedure),
    // At the first list: the schemas of all tools take 35 ms.
    get listed() {
      listed ??= {
        name,
        title,
        description,
        inputSchema: describeInput(input, { ...definition, isWrite }),
        outputSchema: describeOutput(output),
        annotations: annotationsOf(definition, isWrite),
      };
      return listed;
    },
    isWrite,
    isPaged: input instanceof z.ZodObject && 'cursor' in input.shape,
    shape: (data) => output.parse(definition.output ? data : { done: true }) as object,
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

/** A result with one record. */
export const one = <Record extends z.ZodType>(record: Record) => z.object({ data: record });

/** A result with a page of a list. */
export const page = <Row extends z.ZodType>(row: Row) =>
  z.object({
    data: z.array(row),
    pagination: z.object({ nextCursor: z.string().nullable(), hasMore: z.boolean() }),
  });
