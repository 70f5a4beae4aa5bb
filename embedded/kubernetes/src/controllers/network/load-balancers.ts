import type { Engine } from '../engine/engine.ts'
import type { LoadBalancerIngress } from '../engine/kinds.ts'
import { drawn } from '../engine/names.ts'
import { type Controller, itself, keyOf, parseKey } from '../engine/reconcile-loop.ts'

const SOURCE = { component: 'service-controller' }
const INGRESS_SOURCE = { component: 'sandbox-ingress-controller' }
/** Ranges set aside for documentation: nobody takes them for a way in. */
const RANGES = ['203.0.113.', '198.51.100.']

/** Outside addresses for services of type LoadBalancer, a while after they ask. */
export function loadBalancerController({ store, clock, events }: Engine): Controller {
  const since = new Map<string, number>()

  function freeAddress(name: string, asked: string | undefined): string {
    const taken = new Set(
      store.list('/services').flatMap(({ status }) => status?.loadBalancer?.ingress?.map(({ ip }) => ip) ?? []),
    )
    if (asked && !taken.has(asked)) return asked
    const start = drawn(name, 0, 507)
    for (let step = 0; step < 508; step++) {
      const slot = (start + step) % 508
      const ip = `${RANGES[Math.floor(slot / 254)]}${(slot % 254) + 1}`
      if (!taken.has(ip)) return ip
    }
    throw new Error('no load balancer address is free')
  }

  return {
    name: 'LoadBalancer',
    watches: {
      '/services': (event) => {
        if (event.type === 'DELETED') since.delete(event.object.metadata.uid)
        return itself(event, '/services')
      },
    },
    reconcile(key) {
      const { namespace, name } = parseKey(key)
      const service = store.get('/services', namespace, name)
      if (!service || service.metadata.deletionTimestamp) return undefined
      const { uid } = service.metadata
      const given = service.status?.loadBalancer?.ingress
      if (service.spec.type !== 'LoadBalancer') {
        if (given?.length) store.setStatus('/services', service, { ...service.status, loadBalancer: {} })
        return undefined
      }
      if (given?.length || service.spec.loadBalancerClass) return undefined
      const now = clock.now()
      const begun = since.get(uid)
      const takes = drawn(uid, 800, 2_000)
      if (begun === undefined) {
        since.set(uid, now)
        events.emit(service, SOURCE, 'Normal', 'EnsuringLoadBalancer', 'Ensuring load balancer')
        return takes
      }
      if (begun + takes > now) return begun + takes - now
      const ip = freeAddress(keyOf(service), service.spec.loadBalancerIP)
      const ingress: LoadBalancerIngress[] = [{ ip, ipMode: 'VIP' }]
      store.setStatus('/services', service, { ...service.status, loadBalancer: { ingress } })
      events.emit(service, SOURCE, 'Normal', 'EnsuredLoadBalancer', 'Ensured load balancer')
      since.delete(uid)
      return undefined
    },
  }
}

/** An address for every ingress whose class exists, or that leaves the class to the default. */
export function ingressController({ store, clock, events }: Engine): Controller {
  const since = new Map<string, number>()
  return {
    name: 'Ingress',
    watches: {
      'networking.k8s.io/ingresses': (event) => {
        if (event.type === 'DELETED') since.delete(event.object.metadata.uid)
        return itself(event, 'networking.k8s.io/ingresses')
      },
      'networking.k8s.io/ingressclasses': () => store.list('networking.k8s.io/ingresses').map(keyOf),
    },
    reconcile(key) {
      const { namespace, name } = parseKey(key)
      const ingress = store.get('networking.k8s.io/ingresses', namespace, name)
      if (!ingress || ingress.metadata.deletionTimestamp || ingress.status?.loadBalancer?.ingress?.length)
        return undefined
      const wanted = ingress.spec?.ingressClassName ?? ingress.metadata.annotations?.['kubernetes.io/ingress.class']
      const classes = store.list('networking.k8s.io/ingressclasses')
      if (wanted && !classes.some(({ metadata }) => metadata.name === wanted)) return undefined
      const now = clock.now()
      const begun = since.get(ingress.metadata.uid) ?? now
      since.set(ingress.metadata.uid, begun)
      const left = begun + drawn(ingress.metadata.uid, 400, 1_200) - now
      if (left > 0) return left
      const ip = `${RANGES[0]}${drawn(wanted ?? 'default', 1, 254)}`
      store.setStatus('networking.k8s.io/ingresses', ingress, {
        ...ingress.status,
        loadBalancer: { ingress: [{ ip }] },
      })
      events.emit(ingress, INGRESS_SOURCE, 'Normal', 'Sync', 'Scheduled for sync')
      since.delete(ingress.metadata.uid)
      return undefined
    },
  }
}
