import { fieldsOf } from '@quayside/values/form/fields'
import { describe, expect, it } from 'vitest'
import { whyClosed } from '../why-closed.ts'
import { blankOf } from './blank-value.ts'
import {
  countChanges,
  findFields,
  firstGroup,
  groupsOf,
  isMapChanged,
  leavesOf,
  problemOf,
  shownProblemOf,
  valueAt,
} from './field-tree.ts'

const yaml = `# How many run
replicas: 2
name: web
# @HIDDEN
internal: x
image:
  # Where the image comes from
  repository: nginx
  pull:
    policy: Always
`

describe('the tree of fields', () => {
  const fields = fieldsOf(yaml)

  it('groups top-level objects and keeps what is hidden out', () => {
    expect(groupsOf(fields).map(({ label, count }) => [label, count])).toEqual([
      ['General', 2],
      ['Image', 2],
    ])
  })

  it('starts with the group that asks for most, else with the fullest', () => {
    const first = (text: string, schema?: object) => firstGroup(groupsOf(fieldsOf(text, schema)))?.label
    expect(first('name: web\nimage:\n  repository: nginx\n  tag: one\n')).toBe('Image')
    const asksForName = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } }
    expect(first('name: web\nimage:\n  repository: nginx\n  tag: one\n', asksForName)).toBe('General')
    expect(first('a:\n  x: 1\nb:\n  y: 1\n')).toBe('A')
    expect(firstGroup([])).toBeUndefined()
  })

  it('finds by name, by label and by comment', () => {
    const paths = (text: string) => findFields(fields, text).map(({ path }) => path.join('.'))
    expect(paths('policy')).toEqual(['image.pull.policy'])
    expect(paths('where the image')).toEqual(['image.repository'])
    expect(paths('internal')).toEqual([])
    expect(paths('run')).toEqual(['replicas'])
    const talk = fieldsOf('# Not of the replicas\nport: 1\nreplicas: 2\n')
    expect(findFields(talk, 'replicas').map(({ field }) => field.name)).toEqual(['replicas', 'port'])
  })

  it('finds what stands in the entries of lists and maps, and the list when only its next entry would have it', () => {
    const text =
      'users:\n  - {name: ann, password: x}\n  - {name: bob, password: y}\nmore: []\nsites: {one: {pass: 1}}\n'
    const entry = { type: 'object', properties: { passphrase: { type: 'string' } } }
    const schema = {
      properties: {
        more: { type: 'array', items: entry },
        sites: { additionalProperties: { properties: { pass: {} } } },
      },
    }
    const found = (search: string) => findFields(fieldsOf(text, schema), search).map(({ path }) => path.join('.'))
    expect(found('pass')).toEqual(['users.0.password', 'users.1.password', 'sites.one.pass', 'more'])
    expect(found('users.1')).toEqual(['users.1.name', 'users.1.password'])
  })

  it('counts what differs from the defaults', () => {
    expect(countChanges(fieldsOf(yaml.replace('replicas: 2', 'replicas: 3').replace('web', 'shop')), fields)).toBe(2)
    expect(countChanges(fields, fields)).toBe(0)
    expect(valueAt(fields, ['image', 'pull', 'policy'])).toBe('Always')
  })

  it('asks for nothing in a list that is not written, and for entries in one that is, or must be', () => {
    const tags = { type: 'array', minItems: 1, items: { type: 'string' } }
    const said = (text: string, required: string[] = []) =>
      fieldsOf(text, { required, properties: { a: {}, tags } }).map((field) =>
        shownProblemOf(field, [field.name ?? ''], new Map()),
      )
    expect(said('a: 1\n')).toEqual([undefined, undefined])
    expect(said('a: 1\ntags:\n')).toEqual([undefined, undefined])
    expect(said('a: 1\ntags: []\n')).toEqual([undefined, 'At least 1 entry'])
    expect(said('a: 1\n', ['tags'])).toEqual([undefined, 'Required'])
    expect(whyClosed({ yaml: 'a: 1', drafts: [], refused: fieldsOf('a: 1\n', { properties: { tags } }) })).toBe(
      undefined,
    )
  })

  it('a map is changed when an entry was renamed, added, taken out or set', () => {
    const labels = (text: string) => fieldsOf(text).map((field) => field)
    const before = leavesOf(labels('labels: {a: x, b: y}\nannotations: {}\n'))
    const isChanged = (text: string) => labels(text).map((one) => isMapChanged(one, [one.name ?? ''], before))
    expect(isChanged('labels: {a: x, b: y}\nannotations: {}\n')).toEqual([false, false])
    expect(isChanged('labels: {a: x, c: y}\nannotations: {d: z}\n')).toEqual([true, true])
    expect(isChanged('labels: {a: x}\n')).toEqual([true])
    expect(isChanged('labels: {a: x, b: z}\n')).toEqual([true])
  })

  it('the number of a new entry is one that may be', () => {
    const first = (rules: object) => blankOf(fieldsOf('', { properties: { n: { type: 'integer', ...rules } } })[0])
    expect(first({})).toBe(0)
    expect(first({ minimum: 1, maximum: 65535 })).toBe(1)
    expect(first({ minimum: 3, multipleOf: 5 })).toBe(5)
    expect(first({ exclusiveMinimum: 0 })).toBe(1)
    expect(first({ minimum: -9, maximum: -2 })).toBe(-2)
    expect(first({ minimum: -9, maximum: 9 })).toBe(0)
  })

  it('says the message of the rule that fails', () => {
    const [replicas] = fieldsOf('replicas: 2', {
      type: 'object',
      properties: { replicas: { type: 'integer', minimum: 1 } },
    })
    expect(replicas && problemOf(replicas, 2)).toBeUndefined()
    expect(replicas && problemOf(replicas, 0)).toEqual(expect.any(String))
  })
})
