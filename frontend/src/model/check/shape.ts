// Whether a value is what schema.json says, read strictly: what is missing and has a default is given it, nothing else is changed.
// Must never: take what the server's gate would refuse. What it is stricter in (a whole number as `1e400`, a field that is not known) is
// left to the server to decide.

export interface Schema {
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly propertyNames?: { readonly enum: readonly string[] };
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly default?: unknown;
}

export type Shape = (value: unknown) => boolean;

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);

const PLAIN: Readonly<Record<string, Shape>> = {
  string: (value) => typeof value === "string",
  integer: Number.isSafeInteger,
  number: Number.isFinite,
  boolean: (value) => typeof value === "boolean",
  null: (value) => value === null,
};

/** The shape of one definition of a schema. */
export function shapeOf(name: string, definitions: Readonly<Record<string, Schema>>): Shape {
  const known = new Map<string, Shape>();

  function named(definition: string): Shape {
    const found = known.get(definition);
    if (found !== undefined) return found;
    // A definition may hold itself: what it is made of is looked up when it is used.
    let made: Shape | null = null;
    const shape: Shape = (value) => (made as Shape)(value);
    known.set(definition, shape);
    made = compiled(definitions[definition] as Schema);
    return shape;
  }

  function compiled(schema: Schema): Shape {
    if (schema.$ref !== undefined) return named(schema.$ref.replace("#/$defs/", ""));
    if (schema.anyOf !== undefined) {
      const some = schema.anyOf.map(compiled);
      return (value) => some.some((shape) => shape(value));
    }
    if (schema.const !== undefined) return (value) => value === schema.const;
    if (schema.enum !== undefined) {
      const values = new Set(schema.enum);
      return (value) => values.has(value);
    }
    if (schema.type === "array") return list(schema);
    if (schema.type === "object") return schema.properties === undefined ? dictionary(schema) : record(schema);
    const plain = PLAIN[schema.type ?? ""];
    if (plain === undefined) throw new Error(`no shape for ${JSON.stringify(schema)}`);
    return plain;
  }

  function list({ items, prefixItems, minItems = 0, maxItems = Number.POSITIVE_INFINITY }: Schema): Shape {
    const first = (prefixItems ?? []).map(compiled);
    const others = items === undefined ? null : compiled(items);
    return (value) => {
      if (!Array.isArray(value) || value.length < minItems || value.length > maxItems) return false;
      for (let at = 0; at < value.length; at++) {
        const shape = first[at] ?? others;
        if (shape === null || shape === undefined || !shape(value[at])) return false;
      }
      return true;
    };
  }

  function dictionary({ additionalProperties, propertyNames }: Schema): Shape {
    const values = typeof additionalProperties === "object" ? compiled(additionalProperties) : null;
    const keys = propertyNames === undefined ? null : new Set(propertyNames.enum);
    if (values === null) throw new Error("no shape for an object of anything");
    return (value) => {
      if (!isObject(value)) return false;
      for (const key in value) if (keys?.has(key) === false || !values(value[key])) return false;
      return true;
    };
  }

  function record({ properties = {}, required = [] }: Schema): Shape {
    const fields = Object.entries(properties).map(([key, schema]) => ({
      key,
      shape: compiled(schema),
      needed: required.includes(key),
      otherwise: schema.default,
    }));
    return (value) => {
      if (!isObject(value)) return false;
      let count = 0;
      for (const _ in value) count++;
      for (const { key, shape, needed, otherwise } of fields) {
        const here = value[key];
        if (here !== undefined) {
          if (!shape(here)) return false;
          count--;
        } else if (needed) return false;
        else value[key] = structuredClone(otherwise);
      }
      // Any other field is one of a newer version.
      return count === 0;
    };
  }

  return named(name);
}
