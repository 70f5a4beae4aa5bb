import type { V1Container, V1Pod } from '@kubernetes/client-node'
import type { KubeObject } from '../../object-store.ts'

/** The containers with other amounts; as they were sent where they are not the same ones in the same order. */
function resized(next: readonly V1Container[] | undefined, current: readonly V1Container[] | undefined) {
  if (!next || !current) return current
  if (next.some(({ name }, index) => current[index]?.name !== name)) return next
  return current.map((container, index) => {
    const { resources, resizePolicy } = next[index] ?? {}
    return { ...container, resources, resizePolicy }
  })
}

/** Drops what may not be changed through a subresource of a pod; other requests are left as they are. */
export function limitToPodSubresource(
  current: KubeObject,
  next: KubeObject,
  subresource: string | undefined,
): KubeObject {
  if (subresource !== 'ephemeralcontainers' && subresource !== 'resize') return next
  const [now, wanted] = [current as unknown as V1Pod, next as unknown as V1Pod]
  const spec = { ...now.spec }
  if (subresource === 'ephemeralcontainers') {
    Object.assign(spec, { ephemeralContainers: wanted.spec?.ephemeralContainers })
  } else {
    const { containers, initContainers } = wanted.spec ?? {}
    const sameNumber =
      containers?.length === now.spec?.containers.length && initContainers?.length === now.spec?.initContainers?.length
    if (!sameNumber) return next
    Object.assign(spec, {
      containers: resized(containers, now.spec?.containers),
      initContainers: resized(initContainers, now.spec?.initContainers),
    })
  }
  const { resourceVersion, uid } = next.metadata
  return { ...current, metadata: { ...current.metadata, resourceVersion, uid }, spec }
}
