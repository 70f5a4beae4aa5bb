import { describe, expect, it } from 'vitest'
import { coalesce } from '../merge/coalesce.ts'
import type { Path } from '../yaml/slot.ts'
import type { FieldConfiguration } from './field-configuration.ts'
import type { FieldEdit } from './field-edit.ts'
import { changeValues, openValues, type ValuesModel } from './values-model.ts'

const store = {
  oneOf: [
    {
      title: 'On disk',
      additionalProperties: false,
      required: ['kind', 'path'],
      properties: {
        kind: { const: 'disk' },
        path: { type: 'string', minLength: 1 },
        size: { type: 'string' },
        options: { type: 'object', properties: { sync: { type: 'boolean' }, mode: { type: 'string' } } },
        labels: { type: 'object', additionalProperties: { type: 'string' } },
      },
    },
    {
      title: 'S3',
      additionalProperties: false,
      required: ['kind', 'bucket'],
      properties: {
        kind: { const: 's3' },
        bucket: { type: 'string' },
        size: { type: 'string' },
        labels: { type: 'object', additionalProperties: { type: 'string' } },
      },
    },
    { title: 'Nowhere', additionalProperties: false, properties: { kind: { const: 'none' } }, required: ['kind'] },
  ],
}
const schema = { properties: { store } }
const defaults = `# Where things are kept.
store:
  kind: disk # as most do
  # the folder
  path: /data
  size: 8Gi
  # how it is mounted
  options:
    sync: true # slow
    mode: '0644'
  labels:
    tier: web
last: 1
`

function opened(text = defaults, own: unknown = schema, chart = defaults): ValuesModel {
  return openValues(text, own, { defaults: openValues(chart, own) })
}
const choose = (model: ValuesModel, path: Path, choice: number) => changeValues(model, path, { kind: 'choose', choice })
const set = (model: ValuesModel, path: Path, value: unknown) => changeValues(model, path, { kind: 'value', value })
const inEffect = (model: ValuesModel) => coalesce(model.defaults?.value, model.value) as Record<string, unknown>
function at(model: ValuesModel, ...names: string[]): FieldConfiguration | undefined {
  return names.reduce<{ objects: readonly FieldConfiguration[] } | undefined>(
    (field, name) => field?.objects.find((one) => one.name === name),
    { objects: model.fields },
  ) as FieldConfiguration | undefined
}

describe('another form of a value', () => {
  it('takes away what the chart has and the form forbids, and touches nothing else', () => {
    const model = choose(opened(), ['store'], 1)
    expect(model.text).toBe(`# Where things are kept.
store:
  kind: s3 # as most do
  # the folder
  path: null
  size: 8Gi
  # how it is mounted
  options: null
  labels:
    tier: web
  bucket: ""
last: 1
`)
    expect(inEffect(model).store).toEqual({ kind: 's3', bucket: '', size: '8Gi', labels: { tier: 'web' } })
    expect(at(model, 'store')?.choice).toBe(1)
    // Settings that null removes have no fields.
    expect(at(model, 'store')?.objects.map(({ name }) => name)).toEqual(['kind', 'size', 'labels', 'bucket'])
    expect(openValues(model.text, schema, { defaults: model.defaults }).fields).toEqual(model.fields)
  })

  it('and the former one back is every byte as it was', () => {
    const first = set(opened(), ['store', 'path'], '/mine')
    const there = choose(choose(choose(first, ['store'], 1), ['store'], 2), ['store'], 1)
    expect(inEffect(choose(there, ['store'], 2)).store).toEqual({ kind: 'none' })
    expect(choose(there, ['store'], 0).text).toBe(first.text)
    // Another part of the document may change meanwhile.
    expect(choose(set(there, ['last'], 2), ['store'], 0).text).toBe(first.text.replace('last: 1', 'last: 2'))
  })

  it('keeps what was changed in between, and brings back what was changed before', () => {
    let model = set(opened(), ['store', 'path'], '/mine')
    model = changeValues(model, ['store', 'options', 'mode'], { kind: 'value', value: '0600' })
    model = choose(model, ['store'], 1)
    model = set(set(model, ['store', 'size'], '20Gi'), ['store', 'bucket'], 'mine')
    model = choose(model, ['store'], 2)
    model = choose(model, ['store'], 0)
    expect(inEffect(model).store).toEqual({
      kind: 'disk',
      path: '/mine',
      size: '20Gi',
      options: { sync: true, mode: '0600' },
      labels: { tier: 'web' },
    })
    expect(model.text).toBe(
      defaults
        .replace('/data', '/mine')
        .replace('8Gi', '20Gi')
        .replace('0644', '0600')
        .replace('size: 20Gi', 'size: "20Gi"'),
    )
    expect(inEffect(choose(model, ['store'], 1)).store).toMatchObject({ bucket: 'mine', size: '20Gi' })
  })

  it('takes out what only the person has written, and puts it back', () => {
    const chart = 'store:\n  kind: disk\n  path: /data\n'
    const text = 'store:\n  kind: disk\n  path: /data\n  # mine\n  options:\n    sync: true\n'
    const there = choose(opened(text, schema, chart), ['store'], 1)
    expect(there.text).toBe('store:\n  kind: s3\n  path: null\n  bucket: ""\n')
    const back = choose(set(there, ['store', 'size'], '1Gi'), ['store'], 0)
    expect(inEffect(back).store).toEqual({ kind: 'disk', path: '/data', size: '1Gi', options: { sync: true } })
  })

  it('leaves a null of the person what it is', () => {
    const model = opened(defaults.replace('size: 8Gi', 'size: null'))
    const there = choose(model, ['store'], 2)
    const back = choose(set(there, ['last'], 7), ['store'], 0)
    expect(inEffect(back).store).not.toHaveProperty('size')
    const edited = choose(set(choose(there, ['store'], 1), ['store', 'bucket'], 'b'), ['store'], 0)
    expect(inEffect(edited).store).not.toHaveProperty('size')
    expect(inEffect(edited).store).toHaveProperty('path', '/data')
  })

  it('works from a text that says little, and from one that was left with nulls in it', () => {
    const little = choose(opened('last: 2\n'), ['store'], 1)
    expect(inEffect(little).store).toEqual({ kind: 's3', bucket: '', size: '8Gi', labels: { tier: 'web' } })
    expect(choose(little, ['store'], 0).text).toBe('last: 2\n')
    const left = opened(choose(opened(), ['store'], 1).text)
    expect(at(left, 'store')?.choice).toBe(1)
    const back = choose(left, ['store'], 0)
    expect(back.text.replace('  bucket: ""\n', '')).toBe(defaults)
    const other = choose(choose(left, ['store'], 2), ['store'], 0)
    expect(inEffect(other)).toEqual(inEffect(opened()))
  })

  it('of a value in a list needs no nulls, because lists are given as a whole', () => {
    const list = { properties: { stores: { type: 'array', items: store } } }
    const chart = 'stores:\n  - kind: disk\n    path: /a\n  - kind: disk\n    path: /b\n'
    const model = choose(opened(chart, list, chart), ['stores', 1], 1)
    expect(model.text).toBe('stores:\n  - kind: disk\n    path: /a\n  - kind: s3\n    bucket: ""\n')
    expect(choose(model, ['stores', 1], 0).text).toBe(chart)
    const without = changeValues(model, ['stores', 0], { kind: 'remove' })
    expect(inEffect(choose(without, ['stores', 0], 0))).toEqual({ stores: [{ kind: 'disk', path: '' }] })
  })

  it('of a value within another one goes and comes with that one', () => {
    const auth = {
      oneOf: [
        { title: 'Secret', type: 'object', additionalProperties: false, properties: { secret: { type: 'string' } } },
        { title: 'Token', type: 'object', additionalProperties: false, properties: { token: { type: 'string' } } },
      ],
    }
    const nested = {
      properties: {
        db: {
          oneOf: [
            { title: 'Inside', type: 'object', additionalProperties: false, properties: { on: { const: true } } },
            {
              title: 'Outside',
              type: 'object',
              additionalProperties: false,
              required: ['host'],
              properties: { host: { type: 'string' }, auth },
            },
          ],
        },
      },
    }
    const chart = 'db:\n  host: db.local\n  auth:\n    secret: s\n'
    let model = choose(opened(chart, nested, chart), ['db', 'auth'], 1)
    expect(inEffect(model)).toEqual({ db: { host: 'db.local', auth: {} } })
    model = set(model, ['db', 'auth', 'token'], 't')
    const inside = choose(model, ['db'], 0)
    expect(inEffect(inside)).toEqual({ db: { on: true } })
    const back = choose(inside, ['db'], 1)
    expect(back.text).toBe(model.text)
    expect(inEffect(choose(back, ['db', 'auth'], 0))).toEqual({ db: { host: 'db.local', auth: { secret: 's' } } })
  })

  it('is shown also where the same text would fit both', () => {
    const either = {
      properties: {
        tls: {
          anyOf: [
            { title: 'Issuer', type: 'object', properties: { issuer: { type: 'string' } } },
            { title: 'Files', type: 'object', properties: { cert: { type: 'string' } } },
          ],
        },
      },
    }
    const model = choose(opened('tls: {}\n', either, 'tls: {}\n'), ['tls'], 1)
    expect(at(model, 'tls')).toMatchObject({ choice: 1 })
    expect(at(model, 'tls')?.objects.map(({ name }) => name)).toEqual(['cert'])
    expect(at(set(model, ['tls', 'cert'], 'x'), 'tls')?.choice).toBe(1)
  })

  it('leaves out what only the other one knows, also where nothing forbids it', () => {
    const form = (kind: string, name: string) => ({
      title: kind,
      properties: { kind: { const: kind }, [name]: { type: 'string' } },
      required: ['kind'],
    })
    const open = { properties: { box: { oneOf: [form('a', 'one'), form('b', 'two')] } } }
    const chart = 'box:\n  kind: a\n  one: x\n  free: 1\n'
    const model = choose(opened(chart, open, chart), ['box'], 1)
    expect(model.text).toBe('box:\n  kind: b\n  one: null\n  free: 1\n')
    expect(at(model, 'box')?.objects.map(({ name }) => name)).toEqual(['kind', 'free', 'two'])
    expect(choose(opened(model.text, open, chart), ['box'], 0).text).toBe(chart)
  })

  it('may be another type of value, which says the same where it can', () => {
    const port = { properties: { port: { type: ['integer', 'string'] }, host: { type: ['string', 'object'] } } }
    const chart = 'port: 80 # here\nhost:\n  a: 1\n'
    const text = choose(opened(chart, port, chart), ['port'], 1)
    expect(text.text).toBe('port: "80" # here\nhost:\n  a: 1\n')
    expect(choose(text, ['port'], 0).text).toBe(chart)
    expect(choose(opened(chart, port, chart), ['host'], 0).value).toMatchObject({ host: '' })
  })
})

describe('the former form back', () => {
  it('has its comments beside and leaves no map behind that was made for the other', () => {
    const either = {
      properties: {
        labels: { type: ['object', 'string'], default: {} },
        limits: { type: 'object', properties: { cpu: { type: ['integer', 'string'] } } },
      },
    }
    const chart = 'labels: # of all objects\n  a: b # one\nlast: 1\n'
    const text = choose(opened(chart, either, chart), ['labels'], 1)
    // A default of another type is no beginning.
    expect(text.text).toBe('labels: "" # of all objects\nlast: 1\n')
    expect(choose(text, ['labels'], 0).text).toBe(chart)
    const cpu = choose(opened(chart, either, chart), ['limits', 'cpu'], 1)
    expect(cpu.text).toBe(`${chart}limits:\n  cpu: ""\n`)
    expect(choose(cpu, ['limits', 'cpu'], 0).text).toBe(chart)
    const alone = choose(opened('# none\n', either, chart), ['limits', 'cpu'], 1)
    expect(alone.text).toBe('# none\nlimits:\n  cpu: ""\n')
    expect(choose(alone, ['limits', 'cpu'], 0).value).toEqual({})
  })
})

describe('what the chart has of its own', () => {
  const edit = (model: ValuesModel, path: Path, change: FieldEdit) => changeValues(model, path, change)

  it('is taken away for good when its entry is removed from a map or gets another name', () => {
    const model = opened()
    const gone = edit(model, ['store', 'labels', 'tier'], { kind: 'remove' })
    expect(inEffect(gone).store).toMatchObject({ labels: {} })
    expect(at(gone, 'store', 'labels')?.objects).toEqual([])
    const named = edit(model, ['store', 'labels', 'tier'], { kind: 'rename', name: 'layer' })
    expect((inEffect(named).store as Record<string, unknown>).labels).toEqual({ layer: 'web' })
    expect(at(named, 'store', 'labels')?.objects.map(({ name }) => name)).toEqual(['layer'])
    expect(inEffect(set(gone, ['store', 'labels', 'tier'], 'db')).store).toMatchObject({ labels: { tier: 'db' } })
  })

  it('holds where a text says nothing, so nothing is asked for that is there', () => {
    const asked = { required: ['name', 'store'], properties: { name: { type: 'string' }, store } }
    const chart = `name: shop\nports:\n  # plain\n  - 80\n  - 443\n${defaults}`
    const model = opened('last: 5\n', asked, chart)
    expect(at(model, 'name')).toMatchObject({ value: 'shop' })
    expect(at(model, 'store', 'path')).toMatchObject({ value: '/data' })
    expect(at(model, 'store')?.choice).toBe(0)
    expect(set(model, ['store', 'size'], '1Gi').text).toBe('last: 5\nstore:\n  size: "1Gi"\n')
    // A list is given as a whole.
    const listed = edit(model, ['ports', 1], { kind: 'value', value: 444 })
    expect(listed.text).toBe('last: 5\nports:\n  # plain\n  - 80\n  - 444\n')
    expect(opened('', asked, chart).fields.map(({ name }) => name)).toEqual(['name', 'ports', 'store', 'last'])
    expect(opened('# nothing\n', asked, chart).fields).toHaveLength(4)
  })

  it('is laid below by Helm’s rule', () => {
    expect(coalesce({ a: 1, b: { c: 1, d: 2 }, e: 1 }, { b: { c: 3 }, e: null, f: [1], g: null })).toEqual({
      a: 1,
      b: { c: 3, d: 2 },
      f: [1],
      g: null,
    })
  })
})

it('that the same text fits is shown without reading the whole document again', () => {
  const either = {
    anyOf: [
      { title: 'Name', type: 'string' },
      { title: 'Word', type: 'string' },
    ],
  }
  const names = { type: 'array', items: either }
  const wide = { properties: { one: { properties: { mode: either, names } }, last: { type: 'integer' } } }
  const text = 'one:\n  mode: x # as it is\n  names:\n    - a\n    - b\nlast: 1\n'
  const before = openValues(text, wide, { defaults: openValues(text, wide) })
  for (const path of [
    ['one', 'mode'],
    ['one', 'names', 1],
  ]) {
    const after = changeValues(before, path, { kind: 'choose', choice: 1 })
    expect(after.text).toBe(text)
    // The fields that it is not about are the very same.
    expect(after.fields[1]).toBe(before.fields[1])
    const { memory, defaults } = after
    expect(after.fields).toEqual(openValues(text, wide, { defaults, memory }).fields)
    expect(after.fields).not.toEqual(before.fields)
    const again = changeValues(after, path, { kind: 'choose', choice: 0 })
    expect([again.text, again.fields]).toEqual([text, before.fields])
  }
})
