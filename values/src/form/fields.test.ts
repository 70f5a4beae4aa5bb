import { describe, expect, it } from 'vitest'
import { mergeValues } from '../merge/merge-values.ts'
import { readYamlValue } from '../yaml/yaml-document.ts'
import { applyConfig } from './apply-config.ts'
import { directivesOf } from './directives.ts'
import type { FieldConfiguration } from './field-configuration.ts'
import { fieldsOf } from './fields.ts'

const yaml = `## @param fullName The name of everything
# How many run
# @TOOLTIP More is faster
replicaCount: 2
# @SELECT small|medium|large
size: small
# @MASKED
license: abc
adminPassword: "" # set one
# @STORAGECLASS
storage: ""
# @REGISTRYSECRET
pull: ""
# @HIDDEN
internal: true
image:
  # -- where from
  repository: x
  tag: "1.10"
ports:
  - name: http
    port: 80
hosts: [a.example, b.example]
mixed: [1, {a: 2}]
annotations: {}
free: {}
nothing:
fullName: shop
`

function named(fields: FieldConfiguration[], name: string): FieldConfiguration {
  const field = fields.find((one) => one.name === name)
  if (!field) throw new Error(`no field ${name}`)
  return field
}

describe('fields of values', () => {
  const fields = fieldsOf(yaml)
  it('takes types from values and directives', () => {
    const types = Object.fromEntries(fields.map(({ name, type }) => [name, type]))
    expect(types).toEqual({
      replicaCount: 'number',
      size: 'select',
      license: 'password',
      adminPassword: 'password',
      storage: 'storageClass',
      pull: 'registrySecret',
      internal: 'boolean',
      image: 'object',
      ports: 'array',
      hosts: 'array',
      mixed: 'yaml',
      annotations: 'object',
      free: 'yaml',
      nothing: 'yaml',
      fullName: 'string',
    })
  })

  it('takes several directives of a line, and no field for the key that merges a map in', () => {
    const [token, size, derived] = fieldsOf(
      '# @HIDDEN @MASKED\ntoken: x\n# @SELECT a|b @MASKED\nsize: a\nderived:\n  <<: {cpu: 1}\n  mem: 2\n',
    )
    expect(directivesOf(token?.comments ?? [])).toMatchObject({ hidden: true, masked: true })
    expect(directivesOf(size?.comments ?? [])).toMatchObject({ select: ['a', 'b'], masked: true })
    expect(derived?.objects.map(({ name }) => name)).toEqual(['mem'])
  })

  it('reads comments above, beside and by path', () => {
    expect(named(fields, 'replicaCount').comments).toEqual(['How many run', '@TOOLTIP More is faster'])
    expect(named(fields, 'adminPassword').comments).toEqual(['set one'])
    const both = fieldsOf(
      '# How many run\nreplicas: 2 # not too many\n# @HIDDEN\nport: 1 # its own\nsafe: 1 # @MASKED\n',
    )
    expect(both.map(({ comments }) => comments)).toEqual([
      ['How many run', '· not too many'],
      ['@HIDDEN', 'its own'],
      ['@MASKED'],
    ])
    expect(named(fields, 'fullName').comments).toEqual(['The name of everything'])
    expect(named(named(fields, 'image').objects, 'repository').comments).toEqual(['where from'])
    expect(named(fields, 'size').options?.map(({ value }) => value)).toEqual(['small', 'medium', 'large'])
  })

  it('leaves out what a comment says to generators of schemas', () => {
    const text = '# Without a network\noffline: # @schema type:[boolean, null]\n'
    expect(fieldsOf(text)[0]?.comments).toEqual(['Without a network'])
  })

  it('says first what a line says of this very path, in signs that can be read', () => {
    const text =
      '## @param tls.mode How MongoDB(&reg;) speaks TLS\ntls:\n  ## ref: https://docs.example/tls\n  mode: x\n'
    expect(fieldsOf(text)[0]?.objects[0]?.comments).toEqual([
      'How MongoDB(®) speaks TLS',
      'ref: https://docs.example/tls',
    ])
  })

  it.each([
    ['targetCPUUtilizationPercentage', 'Target CPU Utilization Percentage'],
    ['nativeLBByDefault', 'Native LB By Default'],
    ['externalAPILimitQPS', 'External API Limit QPS'],
    ['hostIPs', 'Host IPs'],
    ['useIPv6', 'Use IPv6'],
    ['mTLS', 'MTLS'],
    ['enableOAuth2Proxy', 'Enable OAuth2 Proxy'],
    ['some_old-name', 'Some Old Name'],
  ])('%s is called %s', (name, label) => {
    expect(fieldsOf(`${name}: x\n`)[0]?.label).toBe(label)
  })

  it('gives lists their entries and a template for the next', () => {
    const ports = named(fields, 'ports')
    expect(ports.collections[0]).toMatchObject({ name: null, label: null, type: 'object' })
    expect(ports.objects[0]?.objects.map(({ name }) => name)).toEqual(['name', 'port'])
    expect(named(fields, 'mixed').value).toBe('[1, {a: 2}]')
    expect(named(fields, 'replicaCount').label).toBe('Replica Count')
  })

  it('takes titles, choices, limits and what is required from a schema with local references', () => {
    const schema = {
      $defs: { count: { type: 'integer', minimum: 1, title: 'Count' } },
      required: ['pods'],
      properties: {
        pods: { $ref: '#/$defs/count' },
        mode: { enum: ['a', 'b'] },
        tier: {
          oneOf: [
            { const: 1, title: 'One' },
            { const: 2, title: 'Two' },
          ],
        },
        secret: { type: 'string', format: 'password' },
        day: { type: ['string', 'null'], format: 'date' },
        loop: { $ref: '#/properties/loop' },
        any: { oneOf: [{ type: 'object' }, { type: 'array' }] },
        remote: { $ref: 'https://example.test/x.json' },
        later: { type: 'string', default: 'x' },
      },
    }
    const found = fieldsOf('pods: 1\nmode: a\ntier: 1\nsecret: x\nday: null\nloop: 1\nany: {a: 1}\nremote: x\n', schema)
    expect(named(found, 'pods')).toMatchObject({ label: 'Count', required: true, type: 'number' })
    expect(named(found, 'pods').validations?.map(({ name }) => name)).toEqual(['required', 'minimum', 'integer'])
    expect(found.map(({ type }) => type).slice(1)).toEqual([
      'select',
      'radiobutton',
      'password',
      'date',
      'number',
      'object',
      'string',
      'string',
    ])
    expect(named(found, 'later')).toMatchObject({ value: undefined, defaultValue: 'x' })
  })

  it('asks for what is required in a map once there is one, and in what the next entry looks like at once', () => {
    const ref = { type: 'object', required: ['key'], properties: { key: { type: 'string' }, note: { type: 'string' } } }
    const properties = { free: ref, asked: ref, list: { type: 'array', items: ref } }
    const schema = { type: 'object', required: ['asked'], properties }
    const isKeyAsked = (text: string, name: string) =>
      named(named(fieldsOf(text, schema), name).objects, 'key').required === true
    expect(isKeyAsked('other: 1\n', 'free')).toBe(false)
    expect(isKeyAsked('free:\n', 'free')).toBe(false)
    expect(isKeyAsked('free:\n  note: x\n', 'free')).toBe(true)
    for (const text of ['other: 1\n', 'asked:\n']) expect(isKeyAsked(text, 'asked')).toBe(true)
    const template = named(fieldsOf('other: 1\n', schema), 'list').objects[0]
    expect(named(template?.objects ?? [], 'key').required).toBe(true)
  })

  it('has none for what is not a map or not YAML', () => {
    for (const text of ['', '[', '- 1', 'x', '[['.repeat(5000)]) expect(fieldsOf(text)).toEqual([])
  })
})

describe('a form written back', () => {
  it('changes nothing when nothing was changed', () => {
    expect(applyConfig(yaml, fieldsOf(yaml))).toBe(yaml)
  })

  it('writes only what differs', () => {
    const fields = fieldsOf(yaml)
    named(fields, 'replicaCount').value = '3'
    named(named(fields, 'image').objects, 'tag').value = '2.0'
    named(fields, 'free').value = 'a/b: c # why\n'
    named(fields, 'hosts').collections.push({
      ...(named(fields, 'hosts').objects[0] as FieldConfiguration),
      value: 'c.example',
    })
    const result = applyConfig(yaml, fields)
    expect(result).toBe(
      yaml
        .replace('replicaCount: 2', 'replicaCount: 3')
        .replace('"1.10"', '"2.0"')
        .replace('free: {}', 'free:\n  a/b: c # why')
        .replace('[a.example, b.example]', '[a.example, b.example, c.example]'),
    )
    expect(readYamlValue(result)).toMatchObject({
      hosts: ['a.example', 'b.example', 'c.example'],
      image: { tag: '2.0' },
    })
  })

  it('refuses a field whose own YAML cannot be read', () => {
    const fields = fieldsOf(yaml)
    named(fields, 'free').value = 'a: ['
    expect(() => applyConfig(yaml, fields)).toThrow(/Free/)
  })

  it('lays values over a document', () => {
    const merged = mergeValues(yaml, 'replicaCount: 5\nimage:\n  tag: "3"\nextra:\n  on: true\n')
    expect(merged.startsWith(yaml.replace('replicaCount: 2', 'replicaCount: 5').replace('"1.10"', '"3"'))).toBe(true)
    expect(readYamlValue(merged)).toMatchObject({ extra: { true: true } })
  })
})

describe('a document of five thousand lines', () => {
  it('has its fields in a bounded time', () => {
    const part = (i: number) =>
      `# about ${i}\npart${i}:\n  enabled: true\n  list:\n    - a: 1\n    - a: 2\n  text: |\n    line\n  free: {}\n  other: null`
    const large = Array.from({ length: 500 }, (_, i) => part(i)).join('\n')
    const start = performance.now()
    const fields = fieldsOf(large)
    expect(fields.length).toBe(500)
    expect(applyConfig(large, fields)).toBe(large)
    expect(performance.now() - start).toBeLessThan(5000)
  })
})
