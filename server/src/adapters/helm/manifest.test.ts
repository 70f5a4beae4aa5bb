import { describe, expect, it } from 'vitest'
import { ManifestUnreadableError, printAsRead, readManifest } from './manifest.ts'

const doc = (apiVersion: string, kind: string, name: string, more = '') =>
  `---\n# Source: x\napiVersion: ${apiVersion}\nkind: ${kind}\nmetadata:\n  name: ${name}\n${more}`

describe('a manifest', () => {
  it('may hold empty documents, comments and text with dashes', () => {
    const text = `---\n# nothing\n---\n${doc('v1', 'ConfigMap', 'a', 'data:\n  x: |\n    ---\n    y\n')}\n---\n`
    expect(readManifest(text).map(({ name }) => name)).toEqual(['a'])
  })
  it('says of the items of a list what they are, when only the list does', () => {
    const text =
      'apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleList\nitems:\n- metadata: {name: all}\n  rules: []\n'
    expect(readManifest(text)).toMatchObject([
      { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', name: 'all', listed: true },
    ])
  })
  it('keeps the objects around one that only Helm can read, and says so of that one', () => {
    const odd =
      "apiVersion: v1\nkind: Pod\nmetadata:\n  labels: {}\n  name: odd\nspec:\n  args:\n    - '\n    run;\n    '\n"
    const text = `${doc('v1', 'ConfigMap', 'a')}---\n${odd}`
    expect(readManifest(text).map(({ kind, name, unreadable }) => [kind, name, unreadable])).toEqual([
      ['ConfigMap', 'a', undefined],
      ['Pod', 'odd', true],
    ])
  })
  it.each([
    ['bytes in a list', 'rules: [{verbs: [get, !!binary Kg==]}]'],
    ['bytes as a key', '!!binary cnVsZXM=: [{verbs: ["*"]}]'],
    ['bytes by a whole tag', 'rules: [{verbs: [!<tag:yaml.org,2002:binary> Kg==]}]'],
    ['bytes behind an alias', 'a: &a !!binary Kg==\nrules: [{verbs: [*a]}]'],
    ['a tag of somebody’s own', 'rules: !mine [{verbs: [get]}]'],
    ['a set', 'rules: !!set {get, list}'],
    ['a number that is none', 'value: .inf'],
    ['a number with gaps', 'value: ._7'],
    ['a key that is a broken number', '1E8: a'],
    ['a line break of YAML 1.1', 'value: a # \u2028other: b'],
    ['an anchor whose name ends elsewhere', 'value: &a:2'],
  ])('does not pretend to read %s as Helm would', (_, more) => {
    const [first, second] = readManifest(`${doc('v1', 'Role', 'odd', `${more}\n`)}${doc('v1', 'ConfigMap', 'a')}`)
    expect(first).toMatchObject({ kind: 'Role', name: 'odd', unreadable: true, body: {} })
    expect(second?.unreadable).toBeUndefined()
  })
  it.each([
    ['a file with a number before its name', '01_sources.conf: a', { '01_sources.conf': 'a' }],
    ['a path', 'x: .configuration.docker_image', { x: '.configuration.docker_image' }],
    ['a text whose end Helm prints without indentation', "x: 'a\n\n    b\n\n'", { x: 'a\nb\n' }],
  ])('reads %s', (_, more, data) => {
    const [one] = readManifest(doc('v1', 'ConfigMap', 'a', `data:\n  ${more}\n`))
    expect([one?.body.data, one?.unreadable]).toEqual([data, undefined])
  })
  it('knows the file of every document, also where Helm names it before an empty one', () => {
    const map = 'apiVersion: v1\nkind: ConfigMap\n'
    const text = `---\n# Source: a/crds/a.yaml\n---\n${map}---\n${map}---\n# Source: a/templates/c.yaml\n${map}`
    expect(readManifest(text).map(({ source }) => source)).toEqual([
      'a/crds/a.yaml',
      'a/crds/a.yaml',
      'a/templates/c.yaml',
    ])
  })
  it('reads what tags say that change nothing', () => {
    const [one] = readManifest(doc('v1', 'Role', 'a', 'rules: !!seq [!!map {verbs: [!!str get], m: !!int 5}]\n'))
    expect(one).toMatchObject({ body: { rules: [{ verbs: ['get'], m: 5 }] } })
    expect(one?.unreadable).toBeUndefined()
  })
  it('takes anything with items for a list, as clients of Kubernetes do', () => {
    const hidden = '{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: all}}'
    const text = doc('v1', 'ConfigMap', 'harmless', `items: [${hidden}]\n`)
    expect(readManifest(text).map(({ kind, name }) => [kind, name])).toEqual([['ClusterRole', 'all']])
  })
  it.each([
    ['octal modes', '0644', 420],
    ['octal modes of YAML 1.2', '0o644', 420],
    ['words for true', 'yes', true],
    ['times of day as text', '22:22', '22:22'],
    ['dates as text', '2001-01-01', '2001-01-01'],
  ])('reads %s as Helm does', (_, written, value) => {
    const [one] = readManifest(doc('v1', 'ConfigMap', 'a', `data: {x: ${written}}\n`))
    expect(one?.body.data).toEqual({ x: value })
  })
  it('follows merge keys', () => {
    const [one] = readManifest(doc('v1', 'Role', 'a', 'x: &x {verbs: ["*"]}\nrules: [{<<: *x, resources: [pods]}]\n'))
    expect(one?.body.rules).toEqual([{ verbs: ['*'], resources: ['pods'] }])
  })
  it.each([
    ['does not parse', 'a: [1'],
    ['is nested too deeply', `a: ${'['.repeat(50_000)}`],
    [
      'is an alias bomb',
      `a: &a [x,x,x,x,x,x,x,x,x]\n${[...'bcdefghi'].map((name, i) => `${name}: &${name} [${Array(9).fill(`*${'abcdefghi'[i]}`).join(',')}]`).join('\n')}\n`,
    ],
  ])('that %s is refused', (_, text) => {
    expect(() => readManifest(text)).toThrow(ManifestUnreadableError)
  })
})

describe('a manifest that is printed as it was read', () => {
  const printedData = (data: string) =>
    printAsRead(doc('v1', 'ConfigMap', 'a', `data: ${data}\n`))
      .split('\ndata:')[1]
      ?.trim()

  it('says each field once, follows merge keys, and leaves nothing to a second reader', () => {
    const text =
      'kind: ConfigMap\nkind: Role\nx: &x {verbs: [get]}\nrules: [*x, {<<: *x, resources: [pods]}]\n---kind: Secret\n'
    expect(printAsRead(text)).toBe(
      '---\nkind: Role\nx:\n  verbs:\n    - get\nrules:\n  - verbs:\n      - get\n  - verbs:\n      - get\n    resources:\n      - pods\n"---kind": Secret\n',
    )
  })
  it.each([
    ['9223372036854775807', '9223372036854775807'],
    ['0644', '420'],
    ['yes', 'true'],
    ['"yes"', '"yes"'],
    ['22:22', '"22:22"'],
    ['"0o17"', '"0o17"'],
    ['2001-01-01', '"2001-01-01"'],
    ['"a\\u2028b"', '"a\\u2028b"'],
  ])('keeps the type and the digits of %s', (written, printed) => {
    expect(printedData(written)).toBe(printed)
  })
  it('is read again as the same objects', () => {
    const text = `${doc('v1', 'ConfigMap', 'a', 'data:\n  x: |\n    ---\n    y\n')}---\n${doc('v1', 'Secret', 'b')}`
    const bodies = (manifest: string) => readManifest(manifest).map(({ body }) => body)
    expect(bodies(printAsRead(text))).toEqual(bodies(text))
  })
})
