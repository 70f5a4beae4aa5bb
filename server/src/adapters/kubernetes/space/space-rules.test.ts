import { describe, expect, it } from 'vitest'
import type { ServedType } from '../kubernetes.ts'
import { isMadeByCharts, type PolicyRule, roleNames, spaceRules } from './space-rules.ts'

const served = (apiVersion: string, resource: string, parts: string[] = [], namespaced = true): ServedType => ({
  apiVersion,
  kind: resource,
  resource,
  parts,
  namespaced,
})

const types = [
  served('v1', 'pods', ['exec', 'ephemeralcontainers', 'status']),
  served('v1', 'secrets'),
  served('v1', 'serviceaccounts', ['token']),
  served('v1', 'nodes', ['proxy'], false),
  served('v1', 'inventedcorething', ['token']),
  served('apps/v1', 'deployments', ['scale', 'status']),
  served('networking.k8s.io/v1', 'networkpolicies'),
  served('networking.k8s.io/v1', 'ingresses', ['status']),
  served('rbac.authorization.k8s.io/v1', 'roles'),
  served('rbac.authorization.k8s.io/v1', 'rolebindings'),
  served('rbac.authorization.k8s.io/v1', 'clusterroles', [], false),
  served('authentication.k8s.io/v1', 'tokenreviews', [], false),
  served('authorization.k8s.io/v1', 'localsubjectaccessreviews'),
  served('certificates.k8s.io/v1', 'certificatesigningrequests', ['approval'], false),
  served('certificates.k8s.io/v1beta1', 'podcertificaterequests'),
  served('authorization.openshift.io/v1', 'rolebindings'),
  served('helm.cattle.io/v1', 'helmcharts'),
  served('helm.fluxcd.io/v1', 'helmreleases'),
  served('terraform.core.oam.dev/v1beta2', 'configurations'),
  served('operators.coreos.com/v1alpha1', 'clusterserviceversions'),
  served('kustomize.toolkit.fluxcd.io/v1', 'kustomizations'),
  served('stable.example.com/v1', 'crontabs', ['scale', 'status', 'secretpart']),
  served('cluster.example.com/v1', 'things', [], false),
]
const { roles } = spaceRules(types)
const each = Object.entries(roles)

/** Tells whether rules allow it, as Kubernetes judges: a star stands for everything. */
function allows(rules: readonly PolicyRule[], verb: string, group: string, resource: string): boolean {
  const has = (list: readonly string[], value: string) => list.includes('*') || list.includes(value)
  return rules.some((rule) => has(rule.apiGroups, group) && has(rule.resources, resource) && has(rule.verbs, verb))
}

describe('the roles of spaces', () => {
  it.each(each)('%s makes no tokens, impersonates nobody, and neither escalates nor binds', (_, rules) => {
    for (const verb of ['create', 'update', '*']) expect(allows(rules, verb, '', 'serviceaccounts/token')).toBe(false)
    for (const resource of ['serviceaccounts', 'users', 'groups', 'userextras'])
      expect(allows(rules, 'impersonate', '', resource)).toBe(false)
    for (const resource of ['roles', 'rolebindings', 'clusterroles', 'clusterrolebindings'])
      for (const verb of ['escalate', 'bind'])
        expect(allows(rules, verb, 'rbac.authorization.k8s.io', resource)).toBe(false)
    const groups = ['authentication.k8s.io', 'authorization.k8s.io', 'certificates.k8s.io']
    for (const group of [...groups, 'authorization.openshift.io'])
      expect(rules.some(({ apiGroups }) => apiGroups.includes(group) || apiGroups.includes('*'))).toBe(false)
  })

  it.each(each)('%s writes nothing that a program of the cluster makes with rights of its own', (_, rules) => {
    const flux = ['kustomize.toolkit.fluxcd.io', 'helm.fluxcd.io']
    for (const group of ['helm.cattle.io', 'operators.coreos.com', 'terraform.core.oam.dev', ...flux])
      expect(rules.flatMap(({ apiGroups }) => apiGroups)).not.toContain(group)
  })

  it.each(each)('%s only looks at its namespace, and writes neither its quotas nor the state of pods', (_, rules) => {
    expect(allows(rules, 'get', '', 'namespaces')).toBe(true)
    for (const verb of ['create', 'update', 'patch', 'delete'])
      for (const resource of ['namespaces', 'namespaces/finalize', 'resourcequotas', 'limitranges', 'pods/status'])
        expect(allows(rules, verb, '', resource)).toBe(false)
    for (const resource of ['nodes', 'nodes/proxy', 'inventedcorething', 'inventedcorething/token', 'bindings'])
      expect(allows(rules, 'get', '', resource)).toBe(false)
  })

  it('let nobody have the API server connect them to what endpoints say, or to the address of a pod that has ended', () => {
    for (const rules of Object.values(roles))
      for (const resource of ['services/proxy', 'pods/proxy']) expect(allows(rules, 'get', '', resource)).toBe(false)
    for (const name of [roleNames.account, roleNames.deployer])
      expect(allows(roles[name], 'create', '', 'pods/portforward')).toBe(true)
  })

  it('let a viewer see neither secrets nor what holds the environment of pods, nor get into one', () => {
    const rules = roles[roleNames.viewer]
    const hidden = `secrets pods pods/status pods/exec pods/attach pods/portforward pods/proxy pods/ephemeralcontainers
      podtemplates replicationcontrollers replicationcontrollers/status services/proxy`.split(/\s+/)
    for (const resource of hidden) expect(allows(rules, 'get', '', resource)).toBe(false)
    for (const resource of ['deployments', 'deployments/status', 'replicasets', 'controllerrevisions'])
      expect(allows(rules, 'get', 'apps', resource)).toBe(false)
    expect(allows(rules, 'list', 'stable.example.com', 'crontabs')).toBe(false)
    for (const resource of ['services', 'configmaps', 'events', 'pods/log'])
      expect(allows(rules, 'get', '', resource)).toBe(true)
    expect(rules.flatMap(({ verbs }) => verbs).every((verb) => ['get', 'list', 'watch'].includes(verb))).toBe(true)
  })

  it('let a deployer work on what runs there, and leave roles, isolation and ways to a service to charts', () => {
    const rules = roles[roleNames.deployer]
    for (const resource of ['pods', 'pods/exec', 'secrets', 'serviceaccounts', 'configmaps'])
      expect(allows(rules, 'create', '', resource)).toBe(true)
    expect(allows(rules, 'patch', 'apps', 'deployments/scale')).toBe(true)
    expect(allows(rules, 'delete', 'stable.example.com', 'crontabs')).toBe(true)
    expect(allows(rules, 'get', 'stable.example.com', 'crontabs/secretpart')).toBe(false)
    expect(allows(rules, 'get', 'cluster.example.com', 'things')).toBe(false)
    expect(allows(rules, 'list', 'networking.k8s.io', 'networkpolicies')).toBe(true)
    expect(allows(rules, 'delete', 'networking.k8s.io', 'networkpolicies')).toBe(false)
    expect(allows(rules, 'patch', '', 'pods/ephemeralcontainers')).toBe(false)
    for (const verb of ['get', 'create'])
      expect(allows(rules, verb, 'rbac.authorization.k8s.io', 'rolebindings')).toBe(false)
  })

  it('let a manager read the roles, and only charts write them, within what their account holds', () => {
    const manager = roles[roleNames.manager]
    expect(allows(manager, 'list', 'rbac.authorization.k8s.io', 'roles')).toBe(true)
    expect(allows(manager, 'create', 'rbac.authorization.k8s.io', 'roles')).toBe(false)
    const account = roles[roleNames.account]
    expect(allows(account, 'create', 'rbac.authorization.k8s.io', 'rolebindings')).toBe(true)
    expect(allows(account, 'create', 'rbac.authorization.k8s.io', 'clusterroles')).toBe(false)
    // A chart's role with every verb on a resource is covered only by a rule that has every verb.
    expect(allows(account, '*', 'stable.example.com', 'anything')).toBe(true)
    expect(allows(account, '*', '', 'serviceaccounts')).toBe(false)
  })

  it.each([
    ['', 'ConfigMap', true],
    ['', 'Endpoints', true],
    ['', 'ServiceAccount', true],
    ['', 'ResourceQuota', false],
    ['', 'LimitRange', false],
    ['apps', 'Deployment', true],
    ['a.io', 'Thing', true],
    ['rbac.authorization.k8s.io', 'RoleBinding', true],
    ['helm.cattle.io', 'HelmChart', false],
  ])('let charts make, in the group "%s", a %s: %s', (group, kind, isMade) => {
    expect(isMadeByCharts(group, kind)).toBe(isMade)
  })
  it('know groups whose definitions a release brings, unless they are closed', () => {
    const coming = spaceRules(types, ['new.example.com', 'certificates.k8s.io', '*', '']).roles[roleNames.account]
    expect(allows(coming, 'create', 'new.example.com', 'widgets')).toBe(true)
    expect(coming.flatMap(({ apiGroups }) => apiGroups)).not.toContain('certificates.k8s.io')
    expect(coming.some(({ apiGroups }) => apiGroups.includes('*'))).toBe(false)
    expect(coming.some(({ apiGroups, resources }) => apiGroups.includes('') && resources.includes('*'))).toBe(false)
  })
})
