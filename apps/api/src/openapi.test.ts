// The properties that break generated clients, checked on the document in the repository. test/rest/openapi-file.test.ts checks that
// this document is the served one.
import { readFileSync } from 'node:fs';
import type { OpenApiDocument } from '@service/rest';
import { expect, test } from 'vitest';

type Json = Record<string, unknown>;

const document = JSON.parse(
  readFileSync(new URL('../openapi.json', import.meta.url), 'utf8'),
) as OpenApiDocument;

const { schemas } = document.components;
const isComponent = (value: unknown): boolean =>
  /^#\/components\/schemas\/\w+$/.test(String((value as Json | undefined)?.['$ref']));
const operations = [document.paths, document.webhooks!].flatMap((items) =>
  Object.values(items).flatMap((item) => Object.values(item)),
);

/** Every object of the document with its place, without examples: they contain values, not schemas. */
function* walk(node: unknown, place: string): Generator<[Json, string]> {
  if (typeof node !== 'object' || node === null) return;
  yield [node as Json, place];
  for (const [name, inner] of Object.entries(node)) {
    if (!['example', 'examples', 'default', 'x-error-codes'].includes(name))
      yield* walk(inner, `${place}/${name}`);
  }
}

const nodes = [...walk(document, '')];
const isTopLevel = (place: string): boolean => /^\/components\/schemas\/\w+$/.test(place);

test('every body of a request and of an answer refers to a component', () => {
  const bodies = nodes.filter(([, place]) => place.endsWith('/content/application/json'));
  expect(bodies.length).toBeGreaterThan(150);
  expect(bodies.filter(([{ schema }]) => !isComponent(schema)).map(([, place]) => place)).toEqual([]);
});

test('every enumeration and every object with fields is a component', () => {
  const inline = nodes.filter(
    ([{ type, enum: values, properties }, place]) =>
      !isTopLevel(place) &&
      (Array.isArray(values) || (type === 'object' && Object.keys(properties ?? {}).length > 0)),
  );
  expect(inline.map(([, place]) => place)).toEqual([]);
});

test('every union of several types is a component, and so is an object that may be null', () => {
  const inline = nodes.filter(([{ anyOf, oneOf }, place]) => {
    const members = ((anyOf ?? oneOf ?? []) as Json[]).filter(({ type }) => type !== 'null');
    return !isTopLevel(place) && (members.length > 1 || members.some(({ type }) => type === 'object'));
  });
  expect(inline.map(([, place]) => place)).toEqual([]);
});

test('every reference leads to a component, and every schema is used', () => {
  const references = new Set(nodes.flatMap(([{ $ref }]) => (typeof $ref === 'string' ? [$ref] : [])));
  const places = new Set(nodes.map(([, place]) => `#${place}`));
  expect([...references].filter((reference) => !places.has(reference))).toEqual([]);
  const unused = Object.keys(schemas).filter((name) => !references.has(`#/components/schemas/${name}`));
  expect(unused).toEqual([]);
});

test('the names of components are words in order, without numbers, and differ in more than case', () => {
  const names = Object.keys(schemas);
  expect(names.filter((name) => !/^([A-Z][a-z]+)+$/.test(name))).toEqual([]);
  expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
  expect(names).toEqual(names.toSorted());
});

test('no component has a name that generators make from an operation', () => {
  const taken = operations.flatMap(({ operationId }) => {
    const name = operationId![0]!.toUpperCase() + operationId!.slice(1);
    return ['Data', 'Error', 'Errors', 'Request', 'Response', 'Responses'].map((suffix) => name + suffix);
  });
  expect(taken.filter((name) => name in schemas)).toEqual([]);
});

test('every parameter and every field is described, by itself or by its component', () => {
  const isDescribed = (schema: Json | undefined): boolean => {
    const { description, $ref, items } = (schema ?? {}) as Json & { $ref?: string; items?: Json };
    const component = $ref && schemas[$ref.split('/').at(-1)!];
    return (
      Boolean(description ?? (component && component.description)) || (items ? isDescribed(items) : false)
    );
  };
  const fields = nodes.flatMap(([{ properties }, place]) =>
    Object.entries(
      (typeof properties === 'object' && !place.endsWith('/properties') && properties) || {},
    ).map(([name, field]): [Json, string] => [field as Json, `${place}/${name}`]),
  );
  expect(fields.length).toBeGreaterThan(1500);
  expect(fields.filter(([field]) => !isDescribed(field)).map(([, place]) => place)).toEqual([]);
  const parameters = nodes.filter(([node]) => 'in' in node && 'name' in node && 'schema' in node);
  expect(parameters.length).toBeGreaterThan(300);
  expect(parameters.filter(([{ description }]) => !description).map(([, place]) => place)).toEqual([]);
});

test('every parameter of an operation has an example, except a cursor', () => {
  const parameters = operations.flatMap(({ operationId, parameters: all = [] }) =>
    all.flatMap((parameter) => ('in' in parameter ? [{ operationId, ...parameter }] : [])),
  );
  const withoutExample = parameters.filter(({ example, schema, name }) => {
    const isShown = example !== undefined || schema.examples !== undefined || 'const' in schema;
    return !isShown && name !== 'cursor';
  });
  expect(withoutExample.map(({ operationId, name }) => `${operationId} ${name}`)).toEqual([]);
});

test('every operation has an id of its own: words in camel case', () => {
  const ids = operations.map(({ operationId }) => operationId!);
  expect(ids.filter((id) => !/^[a-z]+([A-Z][a-z]+)*$/.test(id))).toEqual([]);
  expect(new Set(ids.map((id) => id.toLowerCase())).size).toBe(ids.length);
});

test('a discriminator has a named schema for each value, and the value is a constant of that schema', () => {
  const unions = nodes.filter(([{ oneOf }]) => oneOf !== undefined);
  expect(unions.map(([, place]) => place.split('/').at(-1))).toEqual(
    expect.arrayContaining(['Trigger', 'TriggerInput', 'Interaction']),
  );
  for (const [{ oneOf, discriminator }, place] of unions) {
    const { propertyName, mapping } = discriminator as NonNullable<(typeof schemas)[string]['discriminator']>;
    expect(Object.values(mapping), place).toEqual((oneOf as Json[]).map(({ $ref }) => $ref));
    for (const [value, reference] of Object.entries(mapping)) {
      const { properties, required } = schemas[reference.split('/').at(-1)!]!;
      expect(properties![propertyName], reference).toMatchObject({ const: value });
      expect(required, reference).toContain(propertyName);
    }
  }
});

test('an optional field has no default keyword, because openapi-typescript would require the field', () => {
  const optional = nodes.flatMap(([{ properties, required = [] }, place]) =>
    Object.entries((isTopLevel(place) && properties) || {})
      .filter(([name, field]) => 'default' in (field as Json) && !(required as string[]).includes(name))
      .map(([name]) => `${place}/${name}`),
  );
  expect(optional).toEqual([]);
});
