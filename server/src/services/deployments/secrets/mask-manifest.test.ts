import { expect, test } from 'vitest'
import { maskSecrets } from './mask-manifest.ts'

test('values of Secrets are gone, wherever kind stands and however they are written', () => {
  const manifest = `---
# Source: web/templates/secret.yaml
apiVersion: v1
data:
  password: aHVzaA==
  "tls.key": |
    line one
    line two
kind: Secret
metadata:
  name: web
---
kind: ConfigMap
data:
  colour: blue
---
kind: Secret
stringData: {token: hush}
type: Opaque
`
  const masked = maskSecrets(manifest)
  expect(masked).not.toMatch(/aHVzaA|line one|line two|hush/)
  expect(masked).toContain('  password: ••••••••\n  "tls.key": ••••••••\nkind: Secret')
  expect(masked).toContain('colour: blue')
  expect(masked).toContain('stringData: ••••••••\ntype: Opaque')
})

test('a manifest without Secrets stays as it is', () => {
  const manifest = '---\nkind: Service\nmetadata:\n  name: web\n'
  expect(maskSecrets(manifest)).toBe(manifest)
})

const list = (kind: string, items: string) =>
  `---\n# Source: web/templates/all.yaml\napiVersion: v1\nkind: ${kind}\nitems:\n${items}`

test('a Secret in a list, in a list of lists, and in a list of nothing but Secrets loses its values', () => {
  const secret = '- apiVersion: v1\n  kind: Secret\n  metadata: {name: a}\n  data:\n    password: aHVzaA==\n'
  const map = '- kind: ConfigMap\n  data:\n    mode: 0644\n    colour: blue # as ever\n'
  const flat = maskSecrets(list('List', map + secret))
  expect(flat).toBe(
    list('List', map + secret)
      .replace('aHVzaA==', '••••••••')
      .replace('# as ever', ''),
  )
  const nested = list('List', `- kind: List\n  items:\n${secret.replace(/^/gm, '  ').trimEnd()}\n`)
  expect(maskSecrets(nested)).toBe(nested.replace('aHVzaA==', '••••••••'))
  const silent = list('SecretList', '- metadata: {name: a}\n  stringData:\n    password: hush\n')
  expect(maskSecrets(silent)).toBe(silent.replace('hush', '••••••••'))
})

test.each([
  ['as JSON', '---\n{"kind":"List","items":[{"kind":"Secret","data":{"a":"hush"}}]}\n'],
  ['behind the dashes', '--- {kind: Secret, data: {a: hush}}\n'],
  ['with an escaped kind', '---\n"kind": "\\x53ecret"\ndata:\n  a: hush\n'],
  ['behind an alias', '---\nkind: List\nitems:\n- kind: Secret\n  data: &d\n    a: hush\n- kind: Secret\n  data: *d\n'],
  ['behind a merge', '---\nkind: Secret\nx-y: &d {a: hush}\ndata:\n  <<: *d\n'],
  ['by another name for the kind', '---\nx: &k Secret\nkind: *k\ndata: {a: hush}\n'],
  ['after a comment at the margin', '---\nkind: Secret\ndata:\n  b: x\n# a comment\n  a: hush\n'],
  ['in a comment', '---\nkind: Secret\ndata:\n  a: x # was hush\n  # or hush\n'],
  ['inside of another object', '---\nkind: Template\nspec:\n  object:\n    kind: Secret\n    data:\n      a: hush\n'],
  ['in a list that holds itself', '---\n&l\nkind: SecretList\nitems:\n- *l\n- data:\n    a: hush\n'],
  ['twice', '---\nkind: Secret\ndata:\n  a: hush\n  a: hush\ndata:\n  a: hush\n'],
  ['where nothing can be read', '---\nkind: List\nitems:\n- kind: Secret\n  data:\n    a: hush\n    : : [\n'],
])('nor is it shown %s', (_, manifest) => {
  expect(maskSecrets(manifest)).not.toContain('hush')
})

test('of what cannot be read the name is left', () => {
  const odd = '---\nkind: Secret\nmetadata:\n  name: web\ndata:\n  a: hush\n  : : [\n---\nkind: Service\n'
  expect(maskSecrets(odd)).toMatch(
    /^---\nkind: Secret\nmetadata:\n {2}name: web\n# The rest is hidden.*\n---\nkind: Service\n$/,
  )
})
