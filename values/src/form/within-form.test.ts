import { expect, test } from 'vitest'
import { YamlRefused } from '../yaml/yaml-document.ts'
import { mergeWithinForm } from './within-form.ts'

const defaults = `# How many
replicas: 1
image:
  tag: a
# @HIDDEN
internal: keep
ports:
  - name: web
    port: 80
annotations: {}
`
const laid = (over: string, yaml = defaults, schema?: unknown) => mergeWithinForm(yaml, over, { defaults, schema })

test('what the form offers is taken over, with everything else untouched', () => {
  expect(laid('replicas: 3\nimage:\n  tag: b\nannotations:\n  a.b/c: d\n')).toEqual({
    yaml: defaults
      .replace('replicas: 1', 'replicas: 3')
      .replace('tag: a', 'tag: b')
      .replace('annotations: {}', 'annotations:\n  a.b/c: d'),
    left: [],
  })
})

test('what it does not offer is left out and named, wherever it stands', () => {
  const over =
    'replicas: 3\nhost:\n  path: /\nimage:\n  strange: 1\ninternal: changed\nports:\n  - name: web\n    port: 81\n    evil: 1\n'
  const { yaml, left } = laid(over)
  expect(left).toEqual(['image.strange', 'ports.0.evil', 'host', 'internal'])
  expect(yaml).toBe(defaults.replace('replicas: 1', 'replicas: 3').replace('port: 80', 'port: 81'))
})

test('what was there before stays, although the form does not offer it', () => {
  const yaml = `${defaults}host:\n  path: /old\n`
  expect(laid('host:\n  path: /old\nreplicas: 2\n', yaml)).toEqual({
    yaml: yaml.replace('replicas: 1', 'replicas: 2'),
    left: [],
  })
  expect(laid('host:\n  path: /new\nreplicas: 2\n', yaml)).toEqual({
    yaml: yaml.replace('replicas: 1', 'replicas: 2'),
    left: ['host'],
  })
})

test('a schema has a say in it', () => {
  const schema = { properties: { host: { type: 'object', properties: { path: { type: 'string' } } } } }
  expect(laid('host:\n  path: /\n  other: 1\n', defaults, schema)).toEqual({
    yaml: `${defaults}host:\n  path: /\n`,
    left: ['host.other'],
  })
})

test('names that nobody may set, and what is no YAML', () => {
  expect(laid('__proto__:\n  replicas: 9\nconstructor: 1\n').yaml).toBe(defaults)
  expect(() => laid('a: [')).toThrow(YamlRefused)
  expect(laid('just a text')).toEqual({ yaml: defaults, left: [] })
})
