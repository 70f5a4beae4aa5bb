import { describe, expect, it } from 'vitest'
import { applyConfig } from '../form/apply-config.ts'
import type { FieldConfiguration } from '../form/field-configuration.ts'
import { fieldsOf } from '../form/fields.ts'
import { changeValues, openValues } from '../form/values-model.ts'
import { isSafePattern } from './safe-pattern.ts'
import { matches } from './schema-fits.ts'
import { shapeOf } from './schema-shape.ts'

function at(fields: readonly FieldConfiguration[], ...names: string[]): FieldConfiguration {
  const [name, ...rest] = names
  const field = fields.find((one) => one.name === name)
  if (!field) throw new Error(`no field ${name}`)
  return rest.length === 0 ? field : at(field.objects, ...rest)
}

const storage = {
  oneOf: [
    {
      title: 'On disk',
      properties: { kind: { const: 'disk' }, path: { type: 'string' }, size: { type: 'integer', minimum: 1 } },
      required: ['kind', 'size'],
    },
    {
      properties: { kind: { const: 's3' }, bucket: { type: 'string' }, path: { type: 'string' } },
      required: ['kind', 'bucket'],
    },
  ],
}

describe('alternatives', () => {
  it('shows the form that the value has, and keeps what another has in common with it', () => {
    const [field] = fieldsOf('storage:\n  kind: s3\n  bucket: b\n  path: /x\n', { properties: { storage } })
    expect(field?.choice).toBe(1)
    expect(field?.choices?.map(({ label }) => label)).toEqual(['On disk', 's3'])
    expect(field?.choices?.[0]?.value).toEqual({ kind: 'disk', size: 1, path: '/x' })
    expect(field?.objects.map(({ name, type }) => `${name} ${type}`)).toEqual([
      'kind button',
      'bucket string',
      'path string',
    ])
  })

  it('takes several types of one value for alternatives, and nothing for no alternative', () => {
    const schema = {
      properties: {
        port: { type: ['integer', 'string'] },
        some: { anyOf: [{ type: 'string' }, { type: 'null' }] },
        either: { anyOf: [{ type: 'boolean' }, { type: 'object', properties: { on: { type: 'boolean' } } }] },
      },
    }
    const fields = fieldsOf('port: http\nsome: x\neither:\n  on: true\n', schema)
    expect(at(fields, 'port')).toMatchObject({ type: 'string', choice: 1 })
    expect(at(fields, 'port').choices?.map(({ label, value }) => [label, value])).toEqual([
      ['Number', 0],
      ['Text', 'http'],
    ])
    expect(at(fields, 'some')).toMatchObject({ type: 'string' })
    expect(at(fields, 'some').choices).toBeUndefined()
    expect(at(fields, 'either', 'on').type).toBe('boolean')
  })
})

describe('maps', () => {
  const schema = {
    properties: {
      hosts: { type: 'object', additionalProperties: { type: 'object', properties: { port: { type: 'integer' } } } },
      env: { type: 'object', patternProperties: { '^[A-Z_]+$': { type: 'string' } } },
    },
  }
  it('take entries under names of one’s own', () => {
    const fields = fieldsOf('hosts:\n  a:\n    port: 1\nenv:\nlabels: {}\n', schema)
    expect(at(fields, 'hosts').map).toMatchObject({ known: [], template: { type: 'object' } })
    expect(at(fields, 'hosts', 'a', 'port').type).toBe('number')
    expect(at(fields, 'env').map).toMatchObject({ pattern: '^[A-Z_]+$', template: { type: 'string' } })
    expect(at(fields, 'labels').map?.template.type).toBe('string')
  })

  it('lose, gain and rename entries where these stand', () => {
    const text = 'labels:\n  # first\n  app: shop # why\n  tier: web\nlast: 1\n'
    let model = openValues(text, undefined)
    model = changeValues(model, ['labels', 'app'], { kind: 'rename', name: 'app.kubernetes.io/name' })
    expect(model.text).toBe(text.replace('app:', 'app.kubernetes.io/name:'))
    expect(at(model.fields, 'labels').objects.map(({ name }) => name)).toEqual(['app.kubernetes.io/name', 'tier'])
    model = changeValues(model, ['labels', 'tier'], { kind: 'rename', name: 'app.kubernetes.io/name' })
    model = changeValues(model, ['labels', 'tier'], { kind: 'remove' })
    model = changeValues(model, ['labels', '1'], { kind: 'value', value: 'true' })
    expect(model.text).toBe('labels:\n  # first\n  app.kubernetes.io/name: shop # why\n  "1": "true"\nlast: 1\n')
  })

  it('are written back without what the form holds no longer', () => {
    const fields = fieldsOf('labels:\n  a: x\n  b: z\n')
    const [labels] = fields
    if (!labels) throw new Error('no labels')
    expect(applyConfig('labels:\n  a: x\n  b: z\n', [{ ...labels, objects: labels.objects.slice(1) }])).toBe(
      'labels:\n  b: z\n',
    )
  })
})

describe('conditions', () => {
  const schema = {
    properties: { mode: { enum: ['one', 'many'] }, tls: { type: 'boolean' } },
    if: { properties: { mode: { const: 'many' } }, required: ['mode'] },
    // biome-ignore lint/suspicious/noThenProperty: the keyword of the schema.
    then: { properties: { count: { type: 'integer' } }, required: ['count'] },
    else: { properties: { host: { type: 'string' } } },
    dependentSchemas: { tls: { properties: { cert: { type: 'string' } } } },
  }
  it('are decided by the value, and again when it changes', () => {
    const names = (fields: readonly FieldConfiguration[]) => fields.map(({ name }) => name)
    let model = openValues('mode: one\n', schema)
    expect(names(model.fields)).toEqual(['mode', 'tls', 'host'])
    model = changeValues(model, ['mode'], { kind: 'value', value: 'many' })
    expect(names(model.fields)).toEqual(['mode', 'tls', 'count'])
    expect(at(model.fields, 'count').required).toBe(true)
    model = changeValues(model, ['tls'], { kind: 'value', value: true })
    expect(names(model.fields)).toContain('cert')
  })
})

describe('what the schema knows and nobody has set', () => {
  it('is there with all its parts, and is written when it is set', () => {
    const schema = {
      $defs: { limits: { $anchor: 'limits', type: 'object', properties: { cpu: { type: 'string' } } } },
      properties: {
        resources: { type: 'object', properties: { limits: { $ref: '#limits' } } },
        hosts: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } },
        itself: { $ref: '#' },
      },
    }
    let model = openValues('# nothing yet\n', schema)
    expect(at(model.fields, 'resources', 'limits', 'cpu')).toMatchObject({ type: 'string', value: undefined })
    expect(at(model.fields, 'hosts').objects[0]?.objects[0]?.name).toBe('name')
    expect(applyConfig(model.text, [...model.fields])).toBe(model.text)
    model = changeValues(model, ['resources', 'limits', 'cpu'], { kind: 'value', value: '100m' })
    model = changeValues(model, ['hosts', 0], { kind: 'value', value: { name: 'a' } })
    expect(model.text).toBe('# nothing yet\nresources:\n  limits:\n    cpu: "100m"\nhosts:\n  - name: a\n')
  })
})

describe('schemas of strangers', () => {
  it('cost a bounded time', () => {
    const start = performance.now()
    const deep = {
      $defs: { a: { allOf: Array.from({ length: 50 }, () => ({ $ref: '#/$defs/a' })) } },
      $ref: '#/$defs/a',
    }
    shapeOf(deep, deep, {})
    const wide = {
      properties: Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`p${i}`, { type: 'string' }])),
    }
    expect(fieldsOf('a: 1\n', wide).length).toBeLessThan(300)
    const self = { properties: Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`p${i}`, { $ref: '#' }])) }
    fieldsOf('a: 1\n', self)
    expect(performance.now() - start).toBeLessThan(3000)
  })

  it('have their patterns matched only where that cannot run long', () => {
    for (const pattern of ['^(a+)+$', '(a|a)*b', '(.*)\\1', 'a*a*a*a*a*b', '(?:x{2,}){5}', 'x'.repeat(400)])
      expect(isSafePattern(pattern), pattern).toBe(false)
    for (const pattern of ['^[a-z0-9]([-a-z0-9]*[a-z0-9])?$', '^\\d+(m|Gi)?$', '^(one|two)$', '[)*]'])
      expect(isSafePattern(pattern), pattern).toBe(true)
    expect(matches('^[a-z]+$', 'A')).toBe(false)
    expect(matches('(a+)+$', `${'a'.repeat(100)}!`)).toBe(true)
  })
})
