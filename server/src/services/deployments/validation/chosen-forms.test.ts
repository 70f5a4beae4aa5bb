import type { FieldConfiguration } from '@quayside/values/form/field-configuration'
import { changeValues, openValues, type ValuesModel } from '@quayside/values/form/values-model'
import { coalesce } from '@quayside/values/merge/coalesce'
import { readYamlValue } from '@quayside/values/yaml/yaml-document'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'

type Path = readonly (string | number)[]

const closed = (properties: Record<string, unknown>, required: string[] = []) => ({
  type: 'object',
  additionalProperties: false,
  properties,
  required,
})
const text = { type: 'string' }
const auth = {
  oneOf: [
    { title: 'Password', ...closed({ mode: { const: 'password' }, user: text, password: text }, ['mode', 'password']) },
    {
      title: 'Secret',
      ...closed({ mode: { const: 'secret' }, secret: closed({ name: text, key: text }, ['name']) }, ['mode', 'secret']),
    },
    { title: 'Off', const: false },
  ],
}

/** Charts whose values take several forms, in each of the ways that schemas have to say so. */
const charts: Record<string, { schema: object; values: string }> = {
  'forms that are closed, one in the other': {
    schema: {
      properties: {
        database: {
          oneOf: [
            { title: 'Inside', ...closed({ kind: { const: 'inside' }, size: text, auth }, ['kind', 'size']) },
            {
              title: 'Outside',
              ...closed({ kind: { const: 'outside' }, host: text, port: { type: 'integer' }, auth }, ['kind', 'host']),
            },
            { title: 'None', ...closed({ kind: { const: 'none' } }, ['kind']) },
          ],
        },
      },
    },
    values: `database:
  kind: inside # for a start
  # how large
  size: 8Gi
  auth:
    mode: password
    # who
    user: app
    password: x
`,
  },
  'properties in common, and conditions': {
    schema: {
      properties: {
        ingress: {
          type: 'object',
          properties: {
            mode: { enum: ['off', 'http', 'tls'] },
            host: text,
            cert: text,
            annotations: { type: 'object', additionalProperties: text },
          },
          required: ['mode'],
          allOf: [
            {
              if: { properties: { mode: { const: 'off' } } },
              // biome-ignore lint/suspicious/noThenProperty: the keyword of the schema.
              then: { properties: { host: false, cert: false } },
              else: { required: ['host'] },
            },
            {
              if: { properties: { mode: { const: 'tls' } } },
              // biome-ignore lint/suspicious/noThenProperty: the keyword of the schema.
              then: { required: ['cert'] },
              else: { not: { required: ['cert'] } },
            },
          ],
          anyOf: [
            { title: 'No', properties: { mode: { const: 'off' } } },
            { title: 'Plain', properties: { mode: { const: 'http' } } },
            { title: 'Safe', properties: { mode: { const: 'tls' } } },
          ],
        },
      },
    },
    values: 'ingress:\n  mode: tls\n  host: a.example\n  cert: c # the secret\n  annotations:\n    a: b\n',
  },
  'what is left over is forbidden, and names follow patterns': {
    schema: {
      $defs: { base: { type: 'object', properties: { enabled: { type: 'boolean' } } } },
      properties: {
        cache: {
          allOf: [{ $ref: '#/$defs/base' }],
          unevaluatedProperties: false,
          oneOf: [
            {
              title: 'Redis',
              required: ['redis'],
              properties: {
                redis: { type: 'object', patternProperties: { '^[a-z]+$': text }, additionalProperties: false },
              },
            },
            { title: 'Memory', required: ['megabytes'], properties: { megabytes: { type: 'integer', minimum: 1 } } },
          ],
        },
        sizes: { type: 'array', prefixItems: [text, { type: 'integer' }], items: false },
        port: { type: ['integer', 'string'] },
        some: { anyOf: [text, { type: 'integer' }, { type: 'null' }] },
      },
      dependentSchemas: { port: { properties: { protocol: { enum: ['tcp', 'udp'] } } } },
    },
    values: 'cache:\n  enabled: true\n  redis:\n    host: r\n    port: "1"\nsizes: [a, 1]\nport: 80\nsome: x\n',
  },
  'forms in a list and in a map': {
    schema: {
      properties: {
        volumes: {
          type: 'array',
          items: {
            oneOf: [
              { title: 'Empty', ...closed({ name: text, empty: closed({}) }, ['name', 'empty']) },
              { title: 'Claim', ...closed({ name: text, claim: text }, ['name', 'claim']) },
            ],
          },
        },
        hosts: {
          type: 'object',
          additionalProperties: {
            oneOf: [
              { title: 'Port', ...closed({ port: { type: 'integer' } }, ['port']) },
              { title: 'Socket', ...closed({ socket: text }, ['socket']) },
            ],
          },
        },
      },
    },
    values:
      'volumes:\n  - name: a\n    empty: {}\n  # kept\n  - name: b\n    claim: c\nhosts:\n  one:\n    port: 1\n  two:\n    socket: /s\n',
  },
}

function choicesIn(
  fields: readonly FieldConfiguration[],
  above: Path = [],
): { path: Path; field: FieldConfiguration }[] {
  return fields.flatMap((field, at) => {
    const path = [...above, field.name ?? at]
    const inner = choicesIn(field.type === 'array' ? field.collections : field.objects, path)
    return (field.choices?.length ?? 0) > 1 ? [{ path, field }, ...inner] : inner
  })
}

/** The same row of numbers each time. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1103515245 + 12345) % 2147483648
    return state
  }
}

describe.each(Object.entries(charts))('%s', (_, { schema, values }) => {
  const defaults = openValues(values, schema)
  const valid = new Ajv2020({ strict: false, allErrors: true }).compile(schema)
  const inEffect = ({ value }: ValuesModel) => coalesce(readYamlValue(values), value ?? {})
  const check = (model: ValuesModel, story: string) => {
    expect(valid(inEffect(model)), `${story}\n${model.text}\n${JSON.stringify(valid.errors)}`).toBe(true)
    const fresh = openValues(model.text, schema, { defaults, memory: model.memory })
    const sorted = (fields: readonly FieldConfiguration[]) =>
      choicesIn(fields)
        .map(({ path, field }) => [path.join('.'), field.choice])
        .sort()
    expect(sorted(model.fields), story).toEqual(sorted(fresh.fields))
  }

  it('accepts every form that can be chosen, in every order, and has the one that was chosen', {
    timeout: 60_000,
  }, () => {
    for (const given of [values, '{}\n', '# nothing\n'])
      for (let seed = 1; seed <= 6; seed += 1) {
        const next = numbers(seed)
        let model: ValuesModel = openValues(given, schema, { defaults })
        let story = ''
        for (let step = 0; step < 8; step += 1) {
          const places = choicesIn(model.fields)
          const place = places[next() % places.length]
          if (!place) break
          const choice = next() % (place.field.choices?.length ?? 1)
          story += ` ${place.path.join('.')}→${place.field.choices?.[choice]?.label}`
          const before = model
          model = changeValues(model, place.path, { kind: 'choose', choice })
          check(model, story)
          const now = choicesIn(model.fields).find(({ path }) => path.join() === place.path.join())
          expect(now?.field.choice, `${story}\n${model.text}`).toBe(choice)
          const back = changeValues(model, place.path, { kind: 'choose', choice: place.field.choice ?? 0 })
          // A map that was not written at all may stay behind empty.
          expect(inEffect(back), `${story} and back`).toEqual(inEffect(before))
          if (given === values) expect(back.text, `${story} and back`).toBe(before.text)
        }
      }
  })
})
