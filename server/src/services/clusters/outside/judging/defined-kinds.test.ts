import { describe, expect, it } from 'vitest'
import { readManifest } from '../../../../adapters/helm/manifest.ts'
import { definedKinds, pluralOf, servedKinds, whyNotDefined } from './defined-kinds.ts'

const crd = (group: string, plural: string, more: object = {}, name = `${plural}.${group}`) => ({
  metadata: { name, annotations: { 'api-approved.kubernetes.io': 'unapproved, experimental' } },
  spec: { group, names: { kind: 'Widget', plural }, scope: 'Cluster', versions: [{ name: 'v1' }], ...more },
})
const policies = { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', resource: 'networkpolicies' }
const served = [{ ...policies, namespaced: true }]

describe('a definition of a chart', () => {
  it.each([
    ['the core', crd('', 'secrets')],
    ['a group without a dot', crd('apps', 'deployments')],
    ['a group of Kubernetes, whatever an annotation says', crd('networking.k8s.io', 'networkpolicies')],
    ['every group', crd('*', 'widgets')],
    ['every plural', crd('x.example', '*')],
    ['a part of a resource', crd('x.example', 'things/status')],
    ['a plural that is no text', crd('x.example', 'things', { names: { kind: 'Widget', plural: ['things'] } })],
    ['another plural than its name says', crd('x.example', 'things', {}, 'widgets.x.example')],
  ])('is never made for %s', (_, body) => {
    expect(whyNotDefined(body)).toBeTypeOf('string')
    const text = JSON.stringify({ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', ...body })
    expect(definedKinds(readManifest(text))).toEqual([])
  })

  it.each(['x.example', 'gateway.networking.k8s.io', 'cluster.x-k8s.io'])('may be made in %s', (group) => {
    expect(whyNotDefined(crd(group, 'widgets'))).toBeUndefined()
    const text = JSON.stringify({
      ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
      ...crd(group, 'widgets'),
    })
    const kind = { apiVersion: `${group}/v1`, kind: 'Widget', resource: 'widgets', namespaced: false }
    expect(definedKinds(readManifest(text))).toEqual([kind])
    expect(definedKinds(readManifest(text.replace('apiextensions.k8s.io', 'x.example')))).toEqual([])
  })
})

describe('the plural that rights are given on', () => {
  const wanted = { apiVersion: 'x.example/v2', kind: 'Widget', namespace: null }
  const widget = { apiVersion: 'x.example/v2', kind: 'Widget', resource: 'widgets', namespaced: false }

  it('is the one that the cluster serves, else the one that the release defines', () => {
    expect(pluralOf(wanted, [widget], [{ ...widget, resource: 'gadgets' }])).toEqual({ plural: 'widgets' })
    expect(pluralOf(wanted, served, [widget])).toEqual({ plural: 'widgets' })
    expect(pluralOf(wanted, served, [])).toEqual({})
  })

  it('is refused where it is served for another kind, or in the whole cluster for a kind of namespaces', () => {
    const taken = { ...widget, apiVersion: 'x.example/v1', kind: 'Gadget', namespaced: true }
    expect(pluralOf(wanted, [taken], [widget]).refused).toContain('for Gadget')
    expect(pluralOf(wanted, [{ ...widget, namespaced: true }], []).refused).toContain('belongs to a namespace')
  })
})

describe('the kinds that a cluster serves', () => {
  it('have those that came a moment ago, and none that it does not serve', async () => {
    const kinds = async () => served.map((one) => ({ ...one, parts: [] }))
    const resourceOf = async (apiVersion: string, kind: string) =>
      kind === 'Widget' ? { resource: `${apiVersion}/widgets`, namespaced: false } : undefined
    const widget = { apiVersion: 'x.example/v1', kind: 'Widget' }
    const found = await servedKinds({ kinds, resourceOf }, [policies, widget, { ...widget, kind: 'Gadget' }])
    expect(found.map(({ kind, resource, namespaced }) => [kind, resource, namespaced])).toEqual([
      ['NetworkPolicy', 'networkpolicies', true],
      ['Widget', 'widgets', false],
    ])
    expect(pluralOf({ ...widget, namespace: null }, found, [])).toEqual({ plural: 'widgets' })
  })
})
