import type { Container, Pod } from '../engine/pod-kinds.ts'

/** A Secret that a pod cannot do without, and the keys it takes from it; none named means all there are. */
export interface SecretNeed {
  name: string
  keys: string[]
}

/** The Secrets without which a pod does not start, each once. */
export function secretNeeds({ spec }: Pod): SecretNeed[] {
  const keys = new Map<string, Set<string>>()
  const need = (name: string | undefined, wanted: string[], optional: boolean | undefined) => {
    if (!name || optional) return
    const known = keys.get(name) ?? new Set()
    for (const key of wanted) known.add(key)
    keys.set(name, known)
  }
  for (const { secret, projected } of spec.volumes ?? []) {
    for (const source of [secret, ...(projected?.sources ?? []).map((part) => part.secret)]) {
      need(source?.secretName ?? source?.name, source?.items?.map(({ key }) => key) ?? [], source?.optional)
    }
  }
  for (const container of [...spec.containers, ...(spec.initContainers ?? [])]) ofEnvironment(container, need)
  return [...keys].map(([name, wanted]) => ({ name, keys: [...wanted] }))
}

type Need = (name: string | undefined, keys: string[], optional: boolean | undefined) => void

function ofEnvironment({ env, envFrom }: Container, need: Need): void {
  for (const { secretRef } of envFrom ?? []) need(secretRef?.name, [], secretRef?.optional)
  for (const { valueFrom } of env ?? []) {
    const reference = valueFrom?.secretKeyRef
    need(reference?.name, reference ? [reference.key] : [], reference?.optional)
  }
}
