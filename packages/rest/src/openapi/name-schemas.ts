// The components of the document. zod converts all schemas of the routes at once, and `.meta({ id })` is the name of a component.
import { z } from 'zod';
import type { Route } from '../route-table.ts';
import { componentPrefix, referredName, type JsonSchema } from './document.ts';
import { tidySchema } from './tidy-schema.ts';

/** The converted schemas of one route. A body and an answer are references to components. */
export interface RouteSchemas {
  parameters: Record<string, JsonSchema>;
  /** Undefined when all fields of the input are in the path or the query. */
  body: JsonSchema | undefined;
  /** Undefined for 204. */
  answer: JsonSchema | undefined;
}

export interface NamedSchemas {
  components: Record<string, JsonSchema>;
  schemasOf: (route: Route) => RouteSchemas;
}

/**
 * Converts the schemas of routes and further schemas of answers. A name that is used in requests and in answers, with contents that
 * differ, gets the suffix Input in requests: a trigger may be sent without `params`, and is answered with them. Throws when a body
 * or an answer has no name, or when two schemas have the same name.
 */
export function nameSchemas(routes: readonly Route[], others: readonly z.ZodType[]): NamedSchemas {
  const claims = new Map<string, z.ZodType>();
  const answers = convert(answersOf(routes, others), { io: 'output', claims });
  const sent = convert(requestsOf(routes), { io: 'input', claims });
  removePathParameters(sent, routes);
  const requests = separate(sent, answers.named);
  const referenceOf = (schema: JsonSchema, role: string): JsonSchema => {
    if (referredName(schema)) return schema;
    throw new Error(
      `The ${role} has no name. Give its schema .meta({ id: 'CreateWebinarInput' }) or the like.`,
    );
  };
  return {
    components: sortByName({ ...answers.named, ...requests.named }),
    schemasOf(route) {
      const { procedure } = route;
      const body = requests.roots[keyOf.body(procedure)];
      const answer = answers.roots[keyOf.answer(procedure)];
      return {
        parameters: Object.fromEntries(
          parametersOf(route).map((name) => [name, requests.roots[keyOf.parameter(procedure, name)]!]),
        ),
        body: body && referenceOf(body, `body of ${procedure}`),
        answer: answer && referenceOf(answer, `answer of ${procedure}`),
      };
    },
  };
}

/** The keys of the schemas of a route in one conversion. */
const keyOf = {
  answer: (procedure: string) => `answer ${procedure}`,
  body: (procedure: string) => `body ${procedure}`,
  parameter: (procedure: string, name: string) => `parameter ${name} ${procedure}`,
};

/** The names of the fields in the path or the query. The other fields of a write are its body. */
const parametersOf = ({ type, input, pathParameters }: Route): readonly string[] =>
  type === 'query' ? Object.keys(input.shape) : pathParameters;

function answersOf(routes: readonly Route[], others: readonly z.ZodType[]): Record<string, z.ZodType> {
  const answered = routes.filter(({ status }) => status !== 204);
  return Object.fromEntries([
    ...answered.map(({ procedure, output }) => [keyOf.answer(procedure), output]),
    ...others.map((schema, index) => [`${index}`, schema]),
  ]);
}

function requestsOf(routes: readonly Route[]): Record<string, z.ZodType> {
  const schemas: Record<string, z.ZodType> = {};
  for (const route of routes) {
    const { procedure, input } = route;
    const names = parametersOf(route);
    for (const name of names) schemas[keyOf.parameter(procedure, name)] = input.shape[name] as z.ZodType;
    if (names.length < Object.keys(input.shape).length) schemas[keyOf.body(procedure)] = input;
  }
  return schemas;
}

interface Converted {
  /** The converted schemas by the names of the given ones. */
  roots: Record<string, JsonSchema>;
  named: Record<string, JsonSchema>;
}

interface Direction {
  io: 'input' | 'output';
  /** The schemas that have a name so far. */
  claims: Map<string, z.ZodType>;
}

function convert(schemas: Record<string, z.ZodType>, { io, claims }: Direction): Converted {
  const converted = z.toJSONSchema(z.object(schemas), {
    io,
    override({ zodSchema, jsonSchema }) {
      const schema = zodSchema as unknown as z.ZodType;
      const id = z.globalRegistry.get(schema)?.id;
      if (id !== undefined && (claims.get(id) ?? schema) !== schema)
        throw new Error(`Two different schemas have the name ${id}.`);
      if (id !== undefined) claims.set(id, schema);
      if (!jsonSchema.$ref) describeUnion(schema, jsonSchema as JsonSchema);
      delete jsonSchema.id;
    },
  });
  const text = JSON.stringify(converted).replaceAll('"#/$defs/', `"${componentPrefix}`);
  const { properties = {}, $defs = {} } = JSON.parse(text) as JsonSchema;
  const answer = io === 'output';
  return {
    roots: mapValues(properties, (schema) => tidySchema(schema, { answer })),
    named: mapValues($defs as Record<string, JsonSchema>, (schema) => tidySchema(schema, { answer })),
  };
}

/** Adds the discriminator of a union of named schemas. */
function describeUnion(schema: z.ZodType, json: JsonSchema): void {
  if (!(schema instanceof z.ZodDiscriminatedUnion)) return;
  const propertyName = schema.def.discriminator;
  const entries = schema.options.flatMap((option, index) =>
    [...(option._zod.propValues?.[propertyName] ?? [])].map((value) => [value, json.oneOf?.[index]?.$ref]),
  );
  json.type = 'object';
  if (entries.every(([, reference]) => reference !== undefined))
    json.discriminator = { propertyName, mapping: Object.fromEntries(entries) };
}

/** Removes the path parameters from the components of bodies. Throws when a body has other parameters in another route. */
function removePathParameters({ roots, named }: Converted, routes: readonly Route[]): void {
  const pathOf = new Map<string, string>();
  for (const { procedure, pathParameters } of routes) {
    const name = referredName(roots[keyOf.body(procedure)] ?? {});
    if (name === undefined) continue;
    const path = pathParameters.join();
    if ((pathOf.get(name) ?? path) !== path)
      throw new Error(`${name} is the body of routes with different path parameters.`);
    pathOf.set(name, path);
    const { properties = {}, required = [], ...schema } = named[name]!;
    const isField = (field: string): boolean => !pathParameters.includes(field);
    const fields = required.filter(isField);
    named[name] = {
      ...schema,
      properties: Object.fromEntries(Object.entries(properties).filter(([field]) => isField(field))),
      ...(fields.length > 0 && { required: fields }),
    };
  }
}

/** Adds the suffix to the names of requests that answers use for something else. */
function separate(requests: Converted, answers: Record<string, JsonSchema>): Converted {
  const shared = Object.keys(requests.named).filter((name) => name in answers);
  const texts = new Map(shared.map((name) => [name, JSON.stringify(requests.named[name])]));
  const differing = new Set(shared.filter((name) => texts.get(name) !== JSON.stringify(answers[name])));
  // A schema that refers to one of them differs too.
  for (const other of differing) {
    for (const [name, text] of texts) if (text.includes(`"${componentPrefix}${other}"`)) differing.add(name);
  }
  for (const name of differing) {
    if (`${name}Input` in requests.named || `${name}Input` in answers)
      throw new Error(`${name} differs in requests and answers, and the name ${name}Input is taken.`);
  }
  const rename = (name: string): string => (differing.has(name) ? `${name}Input` : name);
  const text = JSON.stringify(requests).replaceAll(
    /"#\/components\/schemas\/(\w+)"/g,
    (_reference, name: string) => `"${componentPrefix}${rename(name)}"`,
  );
  const { roots, named } = JSON.parse(text) as Converted;
  return {
    roots,
    named: Object.fromEntries(Object.entries(named).map(([name, schema]) => [rename(name), schema])),
  };
}

const sortByName = <Value>(values: Record<string, Value>): Record<string, Value> =>
  Object.fromEntries(Object.entries(values).toSorted(([a], [b]) => (a < b ? -1 : 1)));

const mapValues = <Value, Changed>(
  values: Record<string, Value>,
  change: (value: Value) => Changed,
): Record<string, Changed> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
