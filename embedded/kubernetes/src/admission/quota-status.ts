import type { V1ResourceQuota } from '@kubernetes/client-node'
import type { Clock } from '../clock.ts'
import type { ObjectStore } from '../object-store.ts'
import { deepEqual } from '../store/doc.ts'
import { shownAmount, usedIn } from './quota-usage.ts'

const QUOTAS = '/resourcequotas'
const SETTLE = 200

/** Keeps `status` of quotas true to what their namespaces hold. Returns the function that stops it. */
export function followQuotas(store: ObjectStore, clock: Clock): () => void {
  const waiting = new Map<string, () => void>()

  function refresh(namespace: string): void {
    waiting.delete(namespace)
    for (const quota of store.list(QUOTAS, namespace)) {
      const { spec } = quota as unknown as V1ResourceQuota
      const hard = spec?.hard ?? {}
      const used = spec ? usedIn(store, namespace, spec) : new Map<string, bigint>()
      const shown = Object.fromEntries([...used].map(([name, value]) => [name, shownAmount(value, hard[name])]))
      const status = { hard, used: shown }
      if (deepEqual(quota.status, status)) continue
      store.update(QUOTAS, namespace, quota.metadata.name, (current) => ({ ...current, status }), { status: true })
    }
  }

  const soon = (namespace: string) => {
    if (waiting.has(namespace) || store.list(QUOTAS, namespace).length === 0) return
    waiting.set(
      namespace,
      clock.after(SETTLE, () => refresh(namespace)),
    )
  }
  for (const { metadata } of store.list(QUOTAS)) soon(metadata.namespace ?? '')
  const stop = store.subscribe((resource, { object }) => {
    const { namespace } = object.metadata
    if (namespace && resource !== '/events') soon(namespace)
  })
  return () => {
    stop()
    for (const cancel of waiting.values()) cancel()
    waiting.clear()
  }
}
