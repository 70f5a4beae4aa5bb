import { expect, it } from 'vitest'
import type { KubeObject } from '../../../../adapters/kubernetes/kubernetes.ts'
import type { Fields } from '../../workloads/fields.ts'
import { addsTo, gatherersAmong } from './gatherers.ts'

const release = { 'meta.helm.sh/release-name': 'web', 'meta.helm.sh/release-namespace': 'team-b' }
const gathering = (selector: object, name = 'gathers', annotations = {}, labels = {}): KubeObject => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: { name, annotations, labels },
  aggregationRule: { clusterRoleSelectors: [{ matchLabels: { never: 'there' } }, selector] },
})
const withLabels = (labels: object) => ({ metadata: { labels } })
const adding = (body: Fields, roles: KubeObject[], namespace = 'team-a', isWide = true) =>
  addsTo(body, { isWide, name: 'web', around: { namespace, gatherers: gatherersAmong(roles) } })
const a = withLabels({ 'x.io/a': 'true', b: 'c' })

it.each([
  [{ matchLabels: { 'x.io/a': 'true' } }, true],
  [{ matchLabels: { 'x.io/a': 'false' } }, false],
  [{ matchLabels: { 'x.io/a': 'true', b: 'd' } }, false],
  [{ matchLabels: { d: 'true' } }, false],
  [{}, true],
  [{ matchExpressions: [{ key: 'b', operator: 'In', values: ['a', 'c'] }] }, true],
  [{ matchExpressions: [{ key: 'b', operator: 'In', values: ['a'] }] }, false],
  [{ matchExpressions: [{ key: 'd', operator: 'In', values: ['a'] }] }, false],
  [{ matchExpressions: [{ key: 'b', operator: 'NotIn', values: ['c'] }] }, false],
  [{ matchExpressions: [{ key: 'd', operator: 'NotIn', values: ['c'] }] }, true],
  [{ matchExpressions: [{ key: 'b', operator: 'Exists' }] }, true],
  [{ matchExpressions: [{ key: 'd', operator: 'Exists' }] }, false],
  [{ matchExpressions: [{ key: 'b', operator: 'DoesNotExist' }] }, false],
  [{ matchExpressions: [{ key: 'd', operator: 'DoesNotExist' }] }, true],
  [{ matchLabels: { b: 'c' }, matchExpressions: [{ key: 'x.io/a', operator: 'DoesNotExist' }] }, false],
  [{ matchLabels: { 'app.kubernetes.io/managed-by': 'Helm' } }, true],
])('a role that gathers by %j takes up one labelled a and b: %s', (selector, isAdded) => {
  const { isAdding, grants, content, elsewhere } = adding(a, [gathering(selector)])
  expect([isAdding, grants]).toEqual([isAdded, isAdded ? ['adds this to what the role gathers gives'] : []])
  expect([content, elsewhere]).toEqual([isAdded ? [{ gatheredBy: ['gathers'] }] : [], []])
})

it('compares a truth value that a chart wrote with the text that it becomes, and takes null for nothing', () => {
  const isAbsent = { matchExpressions: [{ key: 'b', operator: 'DoesNotExist' }] }
  expect(adding(withLabels({ b: null }), [gathering(isAbsent)]).isAdding).toBe(true)
  expect(adding(withLabels({ 'x.io/a': true }), [gathering({ matchLabels: { 'x.io/a': 'true' } })]).isAdding).toBe(true)
})

it('tells roles of releases elsewhere to who looks after the cluster, and names none twice and not the role itself', () => {
  const all = ['theirs', 'own', 'view', 'web'].map((name) =>
    gathering({ matchLabels: { b: 'c' } }, name, name === 'theirs' ? release : {}),
  )
  const labelled = withLabels({ b: 'c', 'rbac.authorization.k8s.io/aggregate-to-view': 'true' })
  const [view, own, theirs] = ['view', 'own', 'theirs'].map((name) => `adds this to what the role ${name} gives`)
  expect(adding(labelled, all)).toEqual({
    isAdding: true,
    content: [{ gatheredBy: ['own', 'theirs'] }],
    grants: [view, own, 'adds this to what roles of releases in other namespaces give'],
    elsewhere: [theirs],
  })
  expect(adding(labelled, all, 'team-b')).toMatchObject({ grants: [view, own, theirs], elsewhere: [] })
})

it('names roles that gather one which gathers it, and leaves out how the roles of Kubernetes add up', () => {
  const to = (role: string) => ({ [`rbac.authorization.k8s.io/aggregate-to-${role}`]: 'true' })
  const chain = [
    gathering({ matchLabels: { b: 'c' } }, 'first', {}, { next: 'yes' }),
    gathering({ matchLabels: { next: 'yes' } }, 'second', {}, to('admin')),
    gathering({ matchLabels: to('view') }, 'view', {}, to('edit')),
    gathering({ matchLabels: to('edit') }, 'edit', {}, to('admin')),
    gathering({ matchLabels: to('admin') }, 'admin'),
  ]
  expect(adding(withLabels({ b: 'c' }), chain).content).toEqual([{ gatheredBy: ['admin', 'first', 'second'] }])
  expect(adding(withLabels(to('view')), chain)).toMatchObject({
    isAdding: true,
    content: [],
    grants: ['adds this to what the role view gives'],
  })
  const around = [...chain, gathering({ matchLabels: to('edit') }, 'builders')]
  expect(adding(withLabels(to('view')), around).content).toEqual([{ gatheredBy: ['builders'] }])
  const circle = [gathering({}, 'one', {}, { a: 'b' }), gathering({}, 'other', {}, { a: 'b' })]
  expect(adding(withLabels({}), circle).content).toEqual([{ gatheredBy: ['one', 'other'] }])
})

it('finds nothing for a role of a namespace, nor where no role gathers', () => {
  expect(adding(a, [gathering({})], 'team-a', false).isAdding).toBe(false)
  const plain = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: 'a' } }
  const broken = { ...plain, aggregationRule: { clusterRoleSelectors: null } }
  expect(gatherersAmong([plain, broken])).toEqual([])
})
