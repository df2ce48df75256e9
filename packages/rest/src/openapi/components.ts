// The components of the document. trpc-to-openapi names the schemas with `.meta({ id })`, but not those of bodies, and gives a schema
// that differs in answers the suffix Output there. Here bodies have names too. Answers are open to new fields, so more schemas differ,
// and the suffix is Input, in requests.
import { z } from 'zod';
import type { Route } from '../route-table.ts';
import { componentPrefix, json, refersTo, type JsonSchema, type Operation } from './document.ts';
import { tidySchema } from './tidy-schema.ts';

type Schemas = Record<string, JsonSchema>;
type Rename = (name: string) => string;

export interface Components {
  schemas: Schemas;
  /** A part of a request, with the names of the components. */
  inRequest: <Part>(part: Part) => Part;
  /** A part of an answer, with the names of the components. */
  inAnswer: <Part>(part: Part) => Part;
}

/**
 * Gives the bodies of generated operations their names, and selects the components that the operations and `answers` use. Throws when
 * a body or an answer has no name.
 */
export function nameComponents(
  generated: Schemas,
  operations: ReadonlyMap<Route, Operation>,
  answers: readonly JsonSchema[],
): Components {
  const schemas = { ...generated };
  for (const [route, operation] of operations) {
    nameBody(route, operation, schemas);
    if (route.status !== 204 && !answerIn(operation)?.$ref) throw unnamed(`answer of ${route.procedure}`);
  }
  const used = [...operations.values()];
  const answered = convertAll(select(schemas, [used.map(answerIn), answers]), nameInAnswer, true);
  const sent = select(
    schemas,
    used.map(({ parameters = [], requestBody = {} }) => [parameters, requestBody]),
  );
  const differing = findDiffering(convertAll(sent, nameInAnswer, false), answered);
  const nameInRequest: Rename = (name) => (differing.has(name) ? `${name}Input` : name);
  const named = Object.entries({ ...answered, ...convertAll(sent, nameInRequest, false) });
  return {
    schemas: Object.fromEntries(named.toSorted(([one], [other]) => (one < other ? -1 : 1))),
    inRequest: (part) => convert(part, nameInRequest, false),
    inAnswer: (part) => convert(part, nameInAnswer, true),
  };
}

/** The schema of a success, which trpc-to-openapi always gives the status 200. */
export const answerIn = ({ responses }: Operation): JsonSchema | undefined => {
  const response = responses['200']!;
  return 'content' in response ? response.content![json]!.schema : undefined;
};

const unnamed = (role: string) =>
  new Error(`The ${role} has no name. Give its schema .meta({ id: 'CreateWebinarInput' }) or the like.`);

/**
 * Makes an inline body a component. Bodies are closed, also one that trpc-to-openapi has made of a schema with refinements, and except
 * one that takes any other field.
 */
function nameBody({ procedure, input }: Route, operation: Operation, schemas: Schemas): void {
  const media = operation.requestBody?.content[json];
  if (!media || Object.keys(media.schema!.properties!).length === 0) return void delete operation.requestBody;
  const id = z.globalRegistry.get(input)?.id;
  if (id === undefined) throw unnamed(`body of ${procedure}`);
  const schema: JsonSchema = { ...media.schema, additionalProperties: false };
  if (input.def.catchall instanceof z.ZodUnknown) delete schema.additionalProperties;
  if (JSON.stringify(schemas[id] ?? schema) !== JSON.stringify(schema))
    throw new Error(`${id} is the body of routes with different path parameters.`);
  schemas[id] = schema;
  media.schema = refersTo(id);
}

/** zod-openapi leaves the reference of a described component as zod writes it. */
const reference = /"#\/(?:components\/schemas|\$defs)\/(\w+)"/g;

/** The components to which parts of the document refer, also through others. */
function select(schemas: Schemas, parts: unknown): Schemas {
  const selected: Schemas = {};
  const visit = (part: unknown): void => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(reference)) {
      if (name in selected) continue;
      selected[name] = schemas[name]!;
      visit(schemas[name]);
    }
  };
  visit(parts);
  return selected;
}

const nameInAnswer: Rename = (name) => name.replace(/Output$/, '');

/** A part of the document with other names of components and with simple schemas. */
const convert = <Part>(part: Part, rename: Rename, isAnswer: boolean): Part =>
  JSON.parse(
    JSON.stringify(part).replaceAll(reference, (_reference, name: string) =>
      JSON.stringify(componentPrefix + rename(name)),
    ),
    (_name, value: unknown) => tidySchema(value, isAnswer),
  ) as Part;

const convertAll = (schemas: Schemas, rename: Rename, isAnswer: boolean): Schemas =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [rename(name), convert(schema, rename, isAnswer)]),
  );

/** The names that stand for something else in requests than in answers. A schema that refers to one of them differs too. */
function findDiffering(sent: Schemas, answered: Schemas): Set<string> {
  const shared = Object.keys(sent).filter((name) => name in answered);
  const texts = new Map(shared.map((name) => [name, JSON.stringify(sent[name])]));
  const differing = new Set(shared.filter((name) => texts.get(name) !== JSON.stringify(answered[name])));
  for (const other of differing) {
    if (`${other}Input` in sent || `${other}Input` in answered)
      throw new Error(`${other} differs in requests and answers, and the name ${other}Input is taken.`);
    for (const [name, text] of texts) if (text.includes(`"${componentPrefix}${other}"`)) differing.add(name);
  }
  return differing;
}
