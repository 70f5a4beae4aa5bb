import { expect, test } from 'vitest'
import { outsideForm } from './outside-form.ts'

const values = `image:
  tag: "1"
replicas: 1
env: {}
nothing:
list: []
labels:
  app: web
# @HIDDEN
internal: 1
`
const schema = {
  properties: {
    replicas: { type: 'integer' },
    later: { type: 'object', properties: { on: { type: 'boolean' } } },
    hosts: { type: 'object', additionalProperties: { type: 'object', properties: { port: { type: 'integer' } } } },
    rules: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } },
  },
}

test('what the chart’s values know, what is free, and the names of a map are offered', () => {
  const given = {
    image: { tag: '2' },
    env: { A: { b: 1 } },
    nothing: { a: 1 },
    list: [{ a: 1 }],
    labels: { tier: 'x' },
  }
  expect(outsideForm(given, values, undefined)).toEqual([])
})

test('other keys are not, at any depth', () => {
  expect(outsideForm({ image: { repository: 'x' }, extra: 1 }, values, undefined)).toEqual([
    'image.repository',
    'extra',
  ])
})

test('what the schema knows is offered too, and nothing else', () => {
  const given = { later: { on: true }, hosts: { a: { port: 1 } }, rules: [{ name: 'x' }] }
  expect(outsideForm(given, values, schema)).toEqual([])
  const more = { later: { off: true }, hosts: { a: { host: 1 } }, rules: [{ name: 'x', more: 1 }] }
  expect(outsideForm(more, values, schema)).toEqual(['later.off', 'hosts.a.host', 'rules.0.more'])
})

test('what is hidden stays as it is', () => {
  expect(outsideForm({ internal: 1 }, values, undefined)).toEqual([])
  expect(outsideForm({ internal: 2 }, values, undefined)).toEqual(['internal'])
  const deeper = 'a:\n  # @HIDDEN\n  b: 1\n  c: 2\nd: 1\n'
  expect(outsideForm({ a: { c: 3 }, d: 2 }, deeper, undefined)).toEqual([])
  for (const a of [null, 'x', { b: null }, { b: 2 }]) expect(outsideForm({ a }, deeper, undefined)).toEqual(['a.b'])
})

test('entries of a list have what the entries of the chart have, and what is one value has no keys', () => {
  const chart = `size: 1
ports:
  - name: http
    port: 80
    options: {}
  - name: admin
    port: 81
    tls: {cert: x}
    options: {a: 1}
`
  const same = { ports: [{ name: 'x', port: 1, tls: { cert: '' }, options: { b: 1 } }] }
  expect(outsideForm(same, chart, undefined)).toEqual([])
  expect(
    outsideForm({ ports: [{ name: 'x' }, { node: 1, tls: { off: 1 } }], size: { huge: 1 } }, chart, undefined),
  ).toEqual(['ports.1.node', 'ports.1.tls.off', 'size.huge'])
  const rules = { properties: { ports: { type: 'array', items: { type: 'object', properties: { name: {} } } } } }
  expect(outsideForm(same, chart, rules)).toEqual([])
  const either = { properties: { size: { anyOf: [{ type: 'integer' }, { type: 'object' }] } } }
  expect(outsideForm({ size: { huge: 1 } }, chart, either)).toEqual([])
})

test('what a chosen form has no room for may be taken away, hidden or not', () => {
  const chart = 'store:\n  kind: disk\n  # @HIDDEN\n  path: /data\n'
  const named = (kind: string, name: string) => ({
    additionalProperties: false,
    required: ['kind'],
    properties: { kind: { const: kind }, [name]: { type: 'string' } },
  })
  const forms = { properties: { store: { oneOf: [named('disk', 'path'), named('s3', 'bucket')] } } }
  expect(outsideForm({ store: { kind: 's3', bucket: 'b', path: null } }, chart, forms)).toEqual([])
  expect(outsideForm({ store: { kind: 'disk', path: null } }, chart, forms)).toEqual(['store.path'])
})
