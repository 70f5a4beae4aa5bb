import { expect, test } from 'vitest'
import { diffManifests } from './manifest-diff.ts'

const object = (kind: string, name: string, rest: string) =>
  `---\n# Source: web/templates/${name}.yaml\napiVersion: v1\nkind: ${kind}\nmetadata:\n  name: ${name}\n${rest}`
const asIs = { before: (text: string) => text, after: (text: string) => text }

test('only what differs is told, object by object, whatever the order and the comments', () => {
  const before = object('Service', 'web', 'spec: {port: 80}\n') + object('ConfigMap', 'old', 'data: {a: b}\n')
  const after = object('ConfigMap', 'new', 'data: {a: b}\n') + object('Service', 'web', '# why\nspec: {port: 80}\n')
  const { objects, unchanged } = diffManifests(before, after, asIs)
  expect(unchanged).toBe(1)
  expect(objects.map(({ kind, name, change }) => [kind, name, change])).toEqual([
    ['ConfigMap', 'new', 'added'],
    ['ConfigMap', 'old', 'removed'],
  ])
  expect(objects[0]).toMatchObject({ before: '' })
})

test('values of Secrets are not in it, and one that differs says so', () => {
  const secret = (word: string) => object('Secret', 'web', `data:\n  same: c2FtZQ==\n  other: ${word}\n`)
  const { objects } = diffManifests(secret('b25l'), secret('dHdv'), asIs)
  expect(objects[0]).toMatchObject({ change: 'changed' })
  expect(objects[0]?.before).toContain('same: ••••••••\n  other: ••••••••\n')
  expect(objects[0]?.after).toContain('same: ••••••••\n  other: •••••••• (changed)\n')
  expect(JSON.stringify(objects)).not.toMatch(/c2FtZQ|b25l|dHdv/)
})

test('a Secret that only Helm can read is hidden by its lines', () => {
  const odd = object('Secret', 'web', 'data:\n  other: b25l\n  : : [\n')
  expect(JSON.stringify(diffManifests('', odd, asIs).objects)).not.toContain('b25l')
})

test('hooks do not count', () => {
  const hook = object('Job', 'test', 'spec: {}\n').replace('  name', '  annotations:\n    "helm.sh/hook": test\n  name')
  expect(diffManifests('', hook, asIs)).toEqual({ objects: [], unchanged: 0 })
})

test('secrets in other objects are hidden by what they are', () => {
  const map = (word: string) => object('ConfigMap', 'web', `data:\n  url: http://${word}@db\n`)
  const hide = {
    before: (text: string) => text.replaceAll('one', '••••••••'),
    after: (text: string) => text.replaceAll('two', '••••••••'),
  }
  expect(JSON.stringify(diffManifests(map('one'), map('two'), hide))).not.toMatch(/one@|two@/)
})

test('objects of a list are compared one by one, and a Secret among them is hidden like any other', () => {
  const list = (word: string) =>
    `---\napiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: map}\n  data: {a: b}\n- apiVersion: v1\n  kind: Secret\n  metadata: {name: web}\n  data: {same: c2FtZQ==, other: ${word}}\n`
  const { objects, unchanged } = diffManifests(list('b25l'), list('dHdv'), asIs)
  expect(unchanged).toBe(1)
  expect(objects.map(({ kind, name, change }) => [kind, name, change])).toEqual([['Secret', 'web', 'changed']])
  expect(objects[0]?.after).toContain('other: •••••••• (changed)')
  expect(JSON.stringify(objects)).not.toMatch(/c2FtZQ|b25l|dHdv/)
})

test.each(['List', 'SecretList'])(
  'a %s of one Secret that is new shows no value, and neither does one in another object',
  (kind) => {
    const one = `---\napiVersion: v1\nkind: ${kind}\nitems:\n- ${kind === 'List' ? 'kind: Secret\n  ' : ''}metadata: {name: web}\n  stringData: {a: hush}\n`
    const inside = object('Template', 'web', 'spec:\n  kind: Secret\n  data:\n    a: hush\n')
    const { objects } = diffManifests('', one + inside, asIs)
    expect(objects).toHaveLength(2)
    expect(JSON.stringify(objects)).not.toContain('hush')
  },
)
