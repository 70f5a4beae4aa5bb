import { expect, it } from 'vitest'
import type { KubeObject, ListSelection } from '../../../adapters/kubernetes/kubernetes.ts'
import { KubeRefusal } from '../../../adapters/kubernetes/transport.ts'
import { usersOf, whyItStays } from './definition-users.ts'

const place = { namespace: 'team-a', releaseName: 'web' }
const object = (namespace: string | undefined, annotations = {}): KubeObject => ({
  ...{ apiVersion: 'example.com/v1', kind: 'Widget' },
  metadata: { name: 'w', annotations, ...(namespace === undefined ? {} : { namespace }) },
})
const definition = (served: boolean, established = 'True'): KubeObject => ({
  ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata: { name: 'widgets' } },
  spec: {
    group: 'example.com',
    names: { kind: 'Widget', plural: 'widgets' },
    versions: [{ name: 'v1', served }],
  },
  status: { conditions: [{ type: 'Established', status: established }] },
})
const cluster = (widgets: readonly KubeObject[] | Error) => ({
  async list(resource: string, selection?: ListSelection): Promise<KubeObject[]> {
    if (resource === 'v1/namespaces') {
      expect(selection?.labelSelector).toBe('quayside.io/space')
      return ['team-a', 'team-b', 'team-c'].map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }))
    }
    expect(resource).toBe('example.com/v1/widgets')
    if (widgets instanceof Error) throw widgets
    return [...widgets]
  },
})
const said = async (widgets: readonly KubeObject[] | Error, of = definition(true)) =>
  whyItStays(await usersOf(cluster(widgets), of, place))

it.each([
  ['none', [], undefined],
  ['those of its own space', [object('team-a'), object('team-a')], undefined],
  ['one of another space', [object('team-b')], 'one object of the kind Widget in one other space'],
  [
    'those of spaces and namespaces',
    [object('team-a'), object('team-b'), object('team-b'), object('team-c'), object('default')],
    '4 objects of the kind Widget in 2 other spaces and one other namespace',
  ],
  ['one of the whole cluster', [object(undefined)], 'one object of the kind Widget'],
  [
    'one of the whole cluster that the release made',
    [
      object(undefined, {
        'meta.helm.sh/release-name': 'web',
        'meta.helm.sh/release-namespace': 'team-a',
      }),
    ],
    undefined,
  ],
])('counts the objects that would go with a definition: %s', async (_, widgets, words) => {
  expect(await said(widgets)).toBe(words && `${words} would be deleted with it`)
})

const unknown = 'nobody can tell which objects there are of its kind'
const refused = (status: number) => new KubeRefusal(status, '', 'no')
it.each([
  ['no version is served, and objects may be kept', [], definition(false), unknown],
  ['the portal may not list them', refused(403), definition(true), unknown],
  ['its kind was served and is not found', refused(404), definition(true), unknown],
  ['its kind was never served', refused(404), definition(true, 'False'), undefined],
])('lets a definition go only when somebody can tell: %s', async (_, widgets, of, words) => {
  expect(await said(widgets, of)).toBe(words)
})
