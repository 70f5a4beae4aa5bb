import { role } from '@quayside/contract/http/policy'
import { roleName } from '@quayside/contract/permissions/roles'
import { expect, test, vi } from 'vitest'
import type { HelmOutcome } from '../../../adapters/helm/helm.ts'
import type { Actor } from '../../../platform/auth/actor.ts'
import type { DeploymentDeps } from '../deps.ts'
import { createValidate } from './validate.ts'

const app = {
  id: 'a1',
  identifier: 'a1',
  catalogItemId: 'i1',
  clusterId: 'c1',
  spaceId: 's1',
  namespace: 'n',
  revision: 1,
}
const writesYaml = roleName(role('catalog-apps', 'catalog.apps.deploy.infrastructure.yaml'))
const actor = { tenantId: 't1', tenantIdentifier: 'tenant', resourceRoles: new Set<string>([writesYaml]) }
const body = {
  appMetadata: {
    tenantIdentifier: 'tenant',
    envIdentifier: 'space',
    instanceIdentifier: 'a1',
    appIdentifier: 'a1',
  },
  yaml: 'a: 1\n',
}

/** Everything but Helm answers well; how often Helm was asked is how often values were looked at. */
function validating(outcome: Pick<HelmOutcome, 'ended'> & Partial<HelmOutcome>, more: object = {}) {
  let asked = 0
  const template = async () => {
    asked += 1
    return { code: 1, stdout: '', stderr: 'Error: it does not work', ...outcome }
  }
  const found = { version: { id: 'v1', digest: 'd' }, item: { id: 'i1' }, valuesYaml: 'a: 1\n', valuesSchema: null }
  const deps = {
    apps: { find: async () => ({ ...app, displayName: 'Web', releaseName: 'web-a1' }) },
    spaces: { record: async () => ({ identifier: 'space', clusterIds: [app.clusterId] }) },
    catalog: { versionOf: async () => found, packageFile: async () => 'chart.tgz' },
    clusters: {
      capabilities: async () => ({ kubeVersion: 'v1', apiVersions: [], resourceScopes: new Map() }),
      readRelease: async () => [],
    },
    helm: { template },
    ...more,
  }
  const validate = createValidate(deps as unknown as DeploymentDeps)
  return { ask: () => validate(actor as unknown as Actor, 'v1', body), asked: () => asked }
}

test('what is refused is answered again from what is known', async () => {
  const { ask, asked } = validating({ ended: 'exit' })
  expect(await ask()).toMatchObject({ provider: 'Helm', resultType: 'error', success: false })
  expect(await ask()).toMatchObject({ resultType: 'error' })
  expect(asked()).toBe(1)
})

test('what could not be answered is asked anew', async () => {
  const { ask, asked } = validating({ ended: 'limit' })
  expect(await ask()).toMatchObject({ provider: 'Helm', resultType: 'fatal', success: false })
  expect(await ask()).toMatchObject({ resultType: 'fatal' })
  expect(asked()).toBe(2)
})

test('a remedy that cannot be sought for a fault is left out of the verdict, and the fault is logged', async () => {
  const policy = `# Source: web/charts/db/templates/policy.yaml
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: db}
spec: {egress: [{}]}
`
  const rendered = { ended: 'exit', code: 0, stdout: policy, stderr: '' }
  const template = vi.fn().mockResolvedValueOnce(rendered).mockRejectedValue(new Error('no space left on device'))
  const warn = vi.fn()
  const { ask } = validating(
    { ended: 'exit' },
    {
      ...{ helm: { template, lint: async () => ({ ...rendered, stdout: '' }) }, log: { warn } },
      clusters: {
        capabilities: async () => ({ kubeVersion: 'v1', apiVersions: [], resourceScopes: new Map() }),
        outsideOf: async () => ({ decisions: [], elevates: false, asksFor: [], approvalId: null }),
        asksFor: async () => [],
        readRelease: async () => [],
        reachOf: async () => ({ chartPolicies: false, apiServer: true }),
      },
    },
  )
  expect(await ask()).toMatchObject({ provider: 'Policy', success: false, remedy: [] })
  expect(warn).toHaveBeenCalledWith(
    { err: expect.objectContaining({ message: 'no space left on device' }) },
    expect.any(String),
  )
})
