import { expect, test } from 'vitest'
import { deployment, liveCluster } from '../sandbox.test-support.ts'

const service = (name: string, spec: Record<string, unknown> = {}) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name },
  spec: { selector: { app: name }, ports: [{ name: 'http', port: 80, targetPort: 8080 }], ...spec },
})

interface Endpoints {
  subsets?: { addresses?: { ip: string }[]; notReadyAddresses?: { ip: string }[]; ports?: object[] }[]
}

test('endpoints and slices follow the pods behind a service', async () => {
  using cluster = liveCluster()
  const made = cluster.apply('/services', service('web'))
  cluster.apply('apps/deployments', deployment('web', { replicas: 3 }))
  const endpoints = () => cluster.get('/endpoints', 'web') as Endpoints | undefined
  await cluster.until('three addresses', () => endpoints()?.subsets?.[0]?.addresses?.length === 3)
  expect(endpoints()?.subsets?.[0]?.ports).toEqual([{ name: 'http', port: 8080, protocol: 'TCP' }])
  const slice = () => cluster.store.owned(made.metadata.uid, 'discovery.k8s.io/endpointslices')[0]
  expect(slice()?.metadata.labels).toMatchObject({ 'kubernetes.io/service-name': 'web' })
  expect(slice()?.endpoints).toHaveLength(3)
  const [pod] = cluster.pods('web')
  if (!pod) throw new Error('no pod')
  cluster.store.delete('/pods', pod)
  await cluster.until('left', () => !JSON.stringify(endpoints()).includes(pod.metadata.name))
  cluster.store.delete('/services', made)
  await cluster.until('withdrawn', () => !endpoints() && !slice())
})

test('pods that are not ready are listed as such', async () => {
  using cluster = liveCluster()
  cluster.apply('/services', service('web'))
  cluster.apply('apps/deployments', deployment('web', { replicas: 1 }, { 'sandbox.quayside.io/fault': 'never-ready' }))
  await cluster.until('not ready', () => {
    const { subsets } = (cluster.get('/endpoints', 'web') ?? {}) as Endpoints
    return subsets?.[0]?.notReadyAddresses?.length === 1 && !subsets[0].addresses
  })
})

test('load balancers get different documentation addresses, and say so', async () => {
  using cluster = liveCluster()
  for (const name of ['a', 'b']) cluster.apply('/services', service(name, { type: 'LoadBalancer' }))
  const ip = (name: string) =>
    cluster.until(name, () => cluster.get('/services', name)?.status?.loadBalancer?.ingress?.[0]?.ip)
  const ips = [await ip('a'), await ip('b')]
  expect(ips[0]).not.toBe(ips[1])
  for (const one of ips) expect(one).toMatch(/^(203\.0\.113|198\.51\.100)\.\d+$/)
  expect(cluster.events('a').map((line) => line.split(' ')[0])).toEqual(['EnsuringLoadBalancer', 'EnsuredLoadBalancer'])
})

test('an ingress gets an address once its class exists', async () => {
  using cluster = liveCluster()
  cluster.apply('networking.k8s.io/ingresses', {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name: 'web' },
    spec: { ingressClassName: 'edge' },
  })
  expect(cluster.get('networking.k8s.io/ingresses', 'web')?.status).toBeUndefined()
  const metadata = { name: 'edge' }
  cluster.objects.create('networking.k8s.io/ingressclasses', {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'IngressClass',
    metadata,
    spec: { controller: 'example/edge' },
  })
  await cluster.until(
    'address',
    () => cluster.get('networking.k8s.io/ingresses', 'web')?.status?.loadBalancer?.ingress?.[0]?.ip,
  )
})
