import type { Target } from './target.ts'

/** Resources that checks leave in a namespace; deleted one by one only where no controller empties namespaces. */
const LEFT = [
  '/api/v1 pods services configmaps secrets serviceaccounts persistentvolumeclaims endpoints events resourcequotas',
  '/api/v1 limitranges replicationcontrollers podtemplates',
  '/apis/apps/v1 deployments replicasets statefulsets daemonsets controllerrevisions',
  '/apis/batch/v1 jobs cronjobs',
  '/apis/autoscaling/v2 horizontalpodautoscalers',
  '/apis/networking.k8s.io/v1 ingresses networkpolicies',
  '/apis/policy/v1 poddisruptionbudgets',
  '/apis/rbac.authorization.k8s.io/v1 roles rolebindings',
  '/apis/coordination.k8s.io/v1 leases',
  '/apis/discovery.k8s.io/v1 endpointslices',
].flatMap((line) => {
  const [root, ...resources] = line.split(' ')
  return resources.map((resource) => ({ root, resource }))
})

/** Takes a namespace away, and where nobody else does it, what is in it. */
export async function removeNamespace({ https, has }: Target, name: string): Promise<void> {
  const { call } = https
  if (!has.has('controllers')) {
    for (const { root, resource } of LEFT) {
      const path = `${root}/namespaces/${name}/${resource}`
      const { items = [] } = (await call('GET', `${path}?limit=1`)).body
      if (items.length > 0) await call('DELETE', path, { body: { gracePeriodSeconds: 0 } })
    }
  }
  await call('DELETE', `/api/v1/namespaces/${name}`)
  if (has.has('controllers')) return
  await call('PUT', `/api/v1/namespaces/${name}/finalize`, {
    body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name }, spec: { finalizers: [] } },
  })
}
